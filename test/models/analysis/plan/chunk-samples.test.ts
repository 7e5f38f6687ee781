// What is read of a chunk where the recording begins or ends before its padding does.
import test from 'ava';
import {
  chunkSeconds,
  chunkStart,
  readChunk,
  wordOfChunk,
} from '../../../../models/analysis/plan/chunk-samples.ts';
import { samplesInMemory } from '../../../../models/audio/samples.ts';

const recording = Int16Array.from({ length: 3_200 }, (_, i) => i + 1);
const read = samplesInMemory(recording);
const whole = { index: 0, startSample: 0, endSample: 3_200 };
const silence = { beforeSamples: 1_600, afterSamples: 800 };

test('a chunk is read with the silence around it', async (t) => {
  const pcm = await readChunk(read, { ...whole, silence });
  t.is(pcm.length, 5_600);
  t.deepEqual(pcm.slice(1_600, 4_800), recording);
  t.true([...pcm.slice(0, 1_600), ...pcm.slice(4_800)].every((sample) => sample === 0));
  t.deepEqual(await readChunk(read, { ...whole, startSample: 3_199 }), Int16Array.of(3_200));
});

test('its clock begins with the silence', (t) => {
  t.is(chunkStart({ ...whole, silence }), -0.1);
  t.is(chunkSeconds({ ...whole, silence }), 0.35);
  t.is(chunkStart({ ...whole, startSample: 1_600 }), 0.1);
  const channel = { index: 1, clockSample: 800 };
  t.is(chunkStart({ ...whole, startSample: 9_000, endSample: 9_600, channel }), 0.05);
});

test('a word stays within the recording', (t) => {
  const chunk = { ...whole, silence };
  const found = (start: number, end: number) => {
    const word = wordOfChunk({ start, end }, chunk);
    return [word.start.toFixed(3), word.end.toFixed(3)];
  };
  t.deepEqual(found(0.05, 0.15), ['0.000', '0.050']);
  t.deepEqual(found(0.2, 0.33), ['0.100', '0.200']);
  t.deepEqual(found(0.31, 0.33), ['0.200', '0.200']);
});
