// The gate on the shared encoder: its sum against a plain one, and who passes it.
import test from 'ava';
import { loadEnglishHead } from '../../../models/asr/english-head.ts';
import { loadMoonshineEncoder } from '../../../models/asr/moonshine-encoder.ts';
import { toFloat } from '../../../models/audio/waveform.ts';
import { openModelStore } from '../../../models/bundles/store.ts';
import { testServers } from '../../support/environment.ts';
import { speech } from '../../support/speech.ts';

const store = () => openModelStore(testServers().modelsDirectory);

test('means and deviations of every layer count; unknown layers are rejected', async (t) => {
  const { directory, manifest } = store().bundle('english-head', 'english-head');
  const head = await loadEnglishHead(directory, manifest);
  const layer = { data: Float32Array.of(1, 2, 3, 4), dims: [1, 2, 2] };
  const encoded = { layers: { only: layer }, frames: 2, paddingSamples: 0, durationSeconds: 1 };
  t.throws(() => head.logOdds(encoded as never), { message: /the head has 4032 weights/ });
});

test('an English sentence is more likely English than not', async (t) => {
  const { directory, manifest } = store().bundle('english-head', 'english-head');
  const head = await loadEnglishHead(directory, manifest);
  const moonshine = store().bundle('moonshine-tiny-en', 'moonshine');
  const encoder = await loadMoonshineEncoder(moonshine.directory, moonshine.manifest);
  const said = 'We have received the letter of your lawyer, and we will answer it next week.';
  const samples = toFloat(await speech(said, { voice: 'rms' }));
  t.true(head.logOdds(await encoder.encode(samples)) > 0);
});
