// Clips that are decoded in one batch: each has the result that it would have alone, bit for bit.
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import fc from 'fast-check';
import { atCommonLevel } from '../../../models/audio/common-level.ts';
import { toFloat } from '../../../models/audio/waveform.ts';
import { lastLayer, loadMoonshineEncoder } from '../../../models/asr/moonshine-encoder.ts';
import { batchesOf, loadMoonshineDecoder } from '../../../models/asr/moonshine.ts';
import { openModelStore } from '../../../models/bundles/store.ts';
import { createSession, type Tensor } from '../../../models/onnx/session.ts';
import { float32Tensor, int64Tensor } from '../../../models/onnx/tensor.ts';
import { withYieldPoints } from '../../../models/onnx/yield-points.ts';
import { testServers } from '../../support/environment.ts';
import { noise, silence, speech } from '../../support/speech.ts';

const sentences = [
  'Please hold the line.',
  'No.',
  'I would like to change my address, because we have moved to another town last week.',
  'Thank you for calling, goodbye now.',
  'The committee will decide on the budget of the new library before the summer is over.',
  'My number is four seven one nine.',
];

const bundles = ['moonshine-tiny-en', 'moonshine-base-en'];

for (const name of bundles) {
  test(`${name}: clips have the same words and odds in a batch and alone`, clipsInBatches, name);
}

async function clipsInBatches(t: ExecutionContext, name: string): Promise<void> {
  const store = openModelStore(testServers().modelsDirectory);
  const { directory, manifest } = store.bundle(name, 'moonshine');
  const encoder = await loadMoonshineEncoder(directory, manifest);
  const decoder = await loadMoonshineDecoder(directory, manifest);
  const spoken = await Promise.all(
    sentences.map((text, i) => speech(text, { voice: ['slt', 'rms'][i % 2]! })),
  );
  const clips = [...spoken, silence(2), noise(3), spoken[2]!.subarray(0, 40_000)];
  const encoded = [];
  for (const clip of clips) encoded.push(await encoder.encode(toFloat(clip)));
  const alone = [];
  for (const clip of encoded) alone.push((await decoder.decode([clip]))[0]);
  t.deepEqual(await decoder.decode(encoded), alone);
  t.deepEqual(await decoder.decode(encoded.toReversed()), alone.toReversed());
  t.deepEqual(await decoder.decode([]), []);
  const text = alone.map((words) => words!.map(({ word }) => word).join(' '));
  t.regex(text[0]!, /hold the line/i);
  t.regex(text[4]!, /budget of the new library/i);
  t.is(text[6], '');
}

for (const name of bundles) {
  test(`${name}: a term that sounds alike is preferred, others change nothing`, prefersTerms, name);
}

async function prefersTerms(t: ExecutionContext, name: string): Promise<void> {
  const store = openModelStore(testServers().modelsDirectory);
  const { directory, manifest } = store.bundle(name, 'moonshine');
  const encoder = await loadMoonshineEncoder(directory, manifest);
  const decoder = await loadMoonshineDecoder(directory, manifest);
  const encoded = [];
  for (const text of ['Is it gray or green?', sentences[2]!]) {
    encoded.push(await encoder.encode(toFloat(await speech(text))));
  }
  const without = await decoder.decode(encoded);
  t.deepEqual(await decoder.decode(encoded, [['Xanthippe'], ['Kubernetes']]), without);
  const [preferred, other] = await decoder.decode(encoded, [['Xanthippe', 'grey']]);
  const written = [without[0]!, preferred!].map((words) => words.map(({ word }) => word));
  t.true(written[0]!.includes('gray'));
  t.deepEqual(
    written[1],
    written[0]!.map((word) => (word === 'gray' ? 'grey' : word)),
  );
  t.true(preferred!.every(({ meanLogProbability }) => meanLogProbability <= 0));
  t.deepEqual(other, without[1]);
}

const encoders = [
  { name: 'moonshine-tiny-en', file: 'encoder_model.ort', first: '/Transpose_output_0', parts: 7 },
  { name: 'moonshine-base-en', file: 'encoder_model.onnx', first: 'states.0', parts: 9 },
];

for (const each of encoders) {
  test(`${each.name}: the encoder is the published one, in short runs`, likePublished, each);
}

async function likePublished(
  t: ExecutionContext,
  { name, file, first, parts }: (typeof encoders)[number],
): Promise<void> {
  const store = openModelStore(testServers().modelsDirectory);
  const { directory, manifest } = store.bundle(name, 'moonshine');
  const published = await createSession(join(directory, file));
  const encoder = await loadMoonshineEncoder(directory, { ...manifest, hiddenLayers: [first] });
  const spoken = toFloat(await speech(sentences[2]!));
  for (const length of [16_000, 40_382, 40_383, 40_384, spoken.length]) {
    const samples = spoken.subarray(0, length);
    let turns = 0;
    const yieldTo = async () => void (turns += 1);
    const encoding = withYieldPoints(yieldTo, () => encoder.encode(samples));
    const { layers, paddingSamples } = await encoding;
    const padded = Float32Array.of(...new Float32Array(paddingSamples), ...atCommonLevel(samples));
    const shape = [1, padded.length] as const;
    const all: Record<string, Tensor> = {
      input_values: float32Tensor(padded, shape),
      attention_mask: int64Tensor(new BigInt64Array(padded.length).fill(1n), shape),
    };
    const feeds = Object.fromEntries(published.inputNames.map((input) => [input, all[input]!]));
    const expected = (await published.run(feeds))[lastLayer]!;
    t.deepEqual(layers[lastLayer]!.dims, expected.dims);
    t.deepEqual(layers[first]!.dims, expected.dims);
    t.is(turns, parts);
    // Both quantise 8 bits at a time: they agree within that, not to the last digit.
    const difference = relativeDifference(expected.data, layers[lastLayer]!.data);
    t.true(difference < 0.2, `${length} ${difference}`);
  }
}

test('a recording at another level is the same to the encoder', async (t) => {
  const store = openModelStore(testServers().modelsDirectory);
  const { directory, manifest } = store.bundle('moonshine-tiny-en', 'moonshine');
  const encoder = await loadMoonshineEncoder(directory, manifest);
  const samples = toFloat(await speech(sentences[2]!));
  const { layers } = await encoder.encode(samples);
  // A power of two, which rounds nothing.
  const quieter = await encoder.encode(samples.map((sample) => sample / 16));
  t.deepEqual(quieter.layers[lastLayer]!.data, layers[lastLayer]!.data);
});

function relativeDifference(expected: unknown, found: unknown): number {
  const [a, b] = [expected as Float32Array, found as Float32Array];
  const square = (values: Float32Array): number => values.reduce((sum, x) => sum + x * x, 0);
  return Math.sqrt(square(a.map((x, i) => x - b[i]!)) / square(a));
}

test('a batch has similar lengths and bounded caches, and every chunk is in one', (t) => {
  const lengths = fc.array(fc.integer({ min: 1, max: 1_260 }), { maxLength: 60 });
  fc.assert(
    fc.property(lengths, (frames) => {
      const batches = batchesOf(frames);
      t.deepEqual(
        batches.flat().toSorted((a, b) => a - b),
        frames.map((_, i) => i),
      );
      for (const batch of batches) {
        const longest = Math.ceil(Math.max(...batch.map((i) => frames[i]!)) / 64) * 64;
        t.true(batch.length <= 16 && batch.length * longest <= 4_096);
      }
    }),
  );
  t.is(batchesOf(Array.from({ length: 16 }, () => 84)).length, 1);
});
