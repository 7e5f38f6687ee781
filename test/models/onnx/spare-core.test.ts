// A second thread computes the same numbers, and is used within `withSpareCore` alone.
import { readdirSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import test from 'ava';
import { loadMoonshineEncoder, type EncodedSpeech } from '../../../models/asr/moonshine-encoder.ts';
import { loadWhisper } from '../../../models/asr/whisper/recognizer.ts';
import { toFloat } from '../../../models/audio/waveform.ts';
import { openModelStore } from '../../../models/bundles/store.ts';
import { usePackedWeights } from '../../../models/onnx/packed-weights.ts';
import type { Session, Tensors } from '../../../models/onnx/session.ts';
import { orWide, withSpareCore } from '../../../models/onnx/spare-core.ts';
import { testServers } from '../../support/environment.ts';
import { speech } from '../../support/speech.ts';

/** Of this process; 0 where the system does not list them. */
const threads = (): number => {
  return process.platform === 'linux' ? readdirSync('/proc/self/task').length : 0;
};

const session = (run: () => Promise<Tensors>): Session => ({
  ...{ inputNames: [], outputNames: [], run },
});

test('the wide session runs where a core is spare, at any depth', async (t) => {
  const runs: string[] = [];
  const named = (name: string) =>
    session(async () => {
      runs.push(name);
      return {};
    });
  const either = orWide(named('narrow'), named('wide'));
  await either.run({});
  await withSpareCore(async () => {
    await Promise.resolve();
    await either.run({});
  });
  await either.run({});
  t.deepEqual(runs, ['narrow', 'wide', 'narrow']);
});

test.serial('two threads compute to the last bit what one does', async (t) => {
  const packed = process.env['SVC_PACKED_WEIGHTS_DIR'];
  if (packed === undefined) return t.fail('the tests have packed weights');
  usePackedWeights(packed);
  t.teardown(() => usePackedWeights(null));
  const store = openModelStore(testServers().modelsDirectory);
  const moonshine = store.bundle('moonshine-tiny-en', 'moonshine');
  const threadsBefore = threads();
  const encoder = await loadMoonshineEncoder(moonshine.directory, moonshine.manifest);
  const added = threads() - threadsBefore;
  if (process.platform === 'linux') {
    t.true(added >= moonshine.manifest.encoder.graphs.length, 'each part has a thread more');
  }
  const { directory, manifest } = store.bundle('whisper-base-en', 'whisper');
  const whisper = await loadWhisper(directory, manifest);
  const long = 'We have received the letter of your lawyer and will answer it soon.';
  for (const text of ['The number is four.', long]) {
    const samples = toFloat(await speech(text));
    const encode = (): Promise<EncodedSpeech> => encoder.encode(samples);
    const [one, two] = [await encode(), await withSpareCore(encode)];
    for (const [name, { data }] of Object.entries(one.layers)) {
      t.true(isDeepStrictEqual(two.layers[name]!.data, data), `${text} ${name}`);
    }
    const spell = () => whisper.spell([{ samples, language: 'en' }]);
    const words = await spell();
    t.true(words[0]!.length > 3);
    t.deepEqual(await withSpareCore(spell), words);
  }
});
