// The gate on the shared encoder: its sum against a plain one, and who passes it.
import test from 'ava';
import { loadEnglishHead } from '../../../models/asr/english-head.ts';
import { loadMoonshineEncoder } from '../../../models/asr/moonshine-encoder.ts';
import { toFloat } from '../../../models/audio/waveform.ts';
import { englishBundles } from '../../../models/bundles/english-bundles.ts';
import { openModelStore } from '../../../models/bundles/store.ts';
import { testServers } from '../../support/environment.ts';
import { speech } from '../../support/speech.ts';

const store = () => openModelStore(testServers().modelsDirectory);

test('means and deviations of the named layers count; other layers are rejected', async (t) => {
  const { directory, manifest } = store().bundle('english-head', 'english-head');
  const head = await loadEnglishHead(directory, manifest);
  const layer = { data: Float32Array.of(1, 2, 3, 4), dims: [1, 2, 2] };
  const encoded = (names: readonly string[]): never => {
    const layers = Object.fromEntries(names.map((name) => [name, layer]));
    return { layers, frames: 2, paddingSamples: 0, durationSeconds: 1 } as never;
  };
  const message = /the head has 4032 weights/;
  t.throws(() => head.logOdds(encoded(manifest.layers)), { message });
  const [first = '', ...others] = manifest.layers;
  const missing = { message: `the English head reads ${first}, which the encoder does not give` };
  t.throws(() => head.logOdds(encoded(others)), missing);
});

for (const name of englishBundles) {
  test(`an English sentence is more likely English than not: ${name}`, async (t) => {
    const moonshine = store().bundle(name, 'moonshine');
    const { directory, manifest } = store().bundle(moonshine.manifest.englishHead, 'english-head');
    const head = await loadEnglishHead(directory, manifest);
    const encoder = await loadMoonshineEncoder(moonshine.directory, moonshine.manifest);
    const said = 'We have received the letter of your lawyer, and we will answer it next week.';
    const samples = toFloat(await speech(said, { voice: 'rms' }));
    t.true(head.logOdds(await encoder.encode(samples)).whole > 0);
  });
}
