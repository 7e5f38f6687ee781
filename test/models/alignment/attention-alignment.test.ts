// Word times from attention: each word lies where the model attended, with pauses in between.
import test from 'ava';
import { timeAttendedWords } from '../../../models/alignment/attention-alignment.ts';
import { createRandom } from '../../support/random.ts';

const sampleRate = 16_000;
const framesPerSecond = 50;
const confidence = { bias: 2, meanLogProbability: 1, minLogProbability: 1 };
const heads = 8;

interface Spoken {
  readonly word: string;
  readonly start: number;
  readonly end: number;
}

/** Noise of a voice's level in each word, a fiftieth of it elsewhere. */
function sound(seconds: number, words: readonly Spoken[]): Float32Array {
  let state = 1;
  return Float32Array.from({ length: seconds * sampleRate }, (_, i) => {
    state = (state * 48_271) % 2_147_483_647;
    const inside = words.some((w) => i >= w.start * sampleRate && i < w.end * sampleRate);
    return (state / 2_147_483_647 - 0.5) * (inside ? 0.5 : 0.01);
  });
}

/** Attention peaks around the middle of each word and is small but positive elsewhere. */
function attentionTo(seconds: number, words: readonly Spoken[]): readonly Float32Array[][] {
  const frames = seconds * framesPerSecond;
  return [...words, { start: seconds, end: seconds }].map(({ start, end }) => {
    const middle = ((start + end) / 2) * framesPerSecond;
    const width = Math.max(2, ((end - start) / 3) * framesPerSecond);
    const row = Float32Array.from({ length: frames + 100 }, (_, frame) => {
      return 0.05 + Math.exp(-(((frame - middle) / width) ** 2));
    });
    return Array<Float32Array>(heads).fill(row);
  });
}

const written = (words: readonly Spoken[]) =>
  words.map(({ word }) => ({ word, tokens: 1, meanLogProbability: -0.1, minLogProbability: -0.1 }));

test('words start and end with their audio, not where the next one starts', (t) => {
  const spoken = [
    { word: 'uno', start: 0.5, end: 0.9 },
    { word: 'dos', start: 1.3, end: 1.7 },
    { word: 'tres', start: 1.9, end: 2.5 },
  ];
  const attended = { words: written(spoken), attention: attentionTo(3, spoken) };
  const timed = timeAttendedWords(attended, sound(3, spoken), confidence);
  t.deepEqual(
    timed.map(({ word }) => word),
    ['uno', 'dos', 'tres'],
  );
  timed.forEach(({ start, end }, i) => {
    t.true(Math.abs(start - spoken[i]!.start) <= 0.06, `${i} starts at ${start}`);
    t.true(Math.abs(end - spoken[i]!.end) <= 0.06, `${i} ends at ${end}`);
  });
});

test('silence that is put around a chunk is not its noise floor', (t) => {
  const spoken = [
    { word: 'diez', start: 0.5, end: 1.1 },
    { word: 'quince', start: 2.3, end: 2.9 },
  ];
  const seconds = 3.3;
  const samples = sound(seconds, spoken).fill(0, 0, 0.3 * sampleRate);
  samples.fill(0, 3 * sampleRate);
  const attended = { words: written(spoken), attention: attentionTo(seconds, spoken) };
  const timed = timeAttendedWords(attended, samples, confidence);
  timed.forEach(({ start, end }, i) => {
    t.true(Math.abs(start - spoken[i]!.start) <= 0.06, `${i} starts at ${start}`);
    t.true(Math.abs(end - spoken[i]!.end) <= 0.06, `${i} ends at ${end}`);
  });
});

test('a rumble through the pauses is no speech', (t) => {
  const spoken = [
    { word: 'diez', start: 0.5, end: 1.1 },
    { word: 'quince', start: 2.1, end: 2.7 },
  ];
  const random = createRandom(1);
  let rumble = 0;
  const samples = sound(3.2, spoken).map((sample) => {
    return sample + (rumble = 0.998 * rumble + 0.08 * (random() - 0.5));
  });
  const attended = { words: written(spoken), attention: attentionTo(3.2, spoken) };
  const timed = timeAttendedWords(attended, samples, confidence);
  timed.forEach(({ start, end }, i) => {
    t.true(Math.abs(start - spoken[i]!.start) <= 0.06, `${i} starts at ${start}`);
    t.true(Math.abs(end - spoken[i]!.end) <= 0.06, `${i} ends at ${end}`);
  });
});

test('without a pause a word ends where the attention moves to the next', (t) => {
  const spoken = [
    { word: 'buenos', start: 0.5, end: 1.1 },
    { word: 'dias', start: 1.1, end: 1.6 },
  ];
  const attended = { words: written(spoken), attention: attentionTo(2, spoken) };
  const [first, second] = timeAttendedWords(attended, sound(2, spoken), confidence);
  t.true(Math.abs(first!.end - 1.1) <= 0.1, `ends at ${first!.end}`);
  t.true(second!.start - first!.end < 0.05);
});

test('with more tokens than frames words are spread over the chunk in order', (t) => {
  const spoken = Array.from({ length: 20 }, (_, i) => ({ word: `w${i}`, start: 0, end: 0.1 }));
  const attended = { words: written(spoken), attention: attentionTo(0.2, spoken) };
  const timed = timeAttendedWords(attended, sound(0.2, spoken), confidence);
  t.is(timed.length, 20);
  timed.forEach(({ start, end }, i) => {
    t.true(start <= end && end <= 0.2 + 1e-9 && start >= (timed[i - 1]?.start ?? 0));
  });
});
