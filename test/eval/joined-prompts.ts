// Recordings with known word times: telephone prompts of one word, trimmed and joined with pauses.
import { sampleRate } from '../../models/audio/sample-rate.ts';
import { joinSamples } from '../../models/audio/samples.ts';
import { createRandom } from '../support/random.ts';
import { noise, silence } from '../support/speech.ts';
import type { TimedWord } from '../metrics/word-time-error.ts';
import { normaliseWords } from '../metrics/text-normalisation.ts';
import { trimmed } from './dialogues.ts';
import { readPcm, type Utterance } from './speech-data.ts';

/** RMS, in dBFS. */
const rumbleDb = -30;

/** How words are joined. */
export interface Joining {
  readonly wordsPerRecording: number;
  /** Before the first word, and behind the last one's pause. */
  readonly edgeSeconds: number;
  /** The pause behind a word. @param n of the word, over all recordings */
  readonly pauseSeconds: (n: number) => number;
  /** What is heard throughout, as samples of PCM16; null: digital silence between the words. */
  readonly background: ((seconds: number, seed: number) => Int16Array) | null;
}

/** Pauses of 0.1 to 0.4 s, short enough that the words share chunks. */
export const sharedChunks: Joining = {
  wordsPerRecording: 8,
  edgeSeconds: 0.3,
  pauseSeconds: (n) => 0.1 + 0.1 * (n % 4),
  background: null,
};

/** Short recordings on a telephone: two words a second apart, in noise of -50 dBFS. */
export const noisyPairs: Joining = {
  wordsPerRecording: 2,
  edgeSeconds: 0.1,
  pauseSeconds: (n) => (n % 2 === 0 ? 1 : 0),
  background: (seconds, seed) => noise(seconds, { seed, amplitude: 180 }),
};

/** The same with a rumble of -30 dBFS, most of it below 50 Hz, as in a car. */
export const rumblingPairs: Joining = { ...noisyPairs, background: rumble };

export interface JoinedRecording {
  readonly pcm: Int16Array;
  readonly words: readonly TimedWord[];
}

/** @param prompts of any length; those of one word are used */
export async function joinPrompts(
  prompts: readonly Utterance[],
  joining: Joining = sharedChunks,
): Promise<readonly JoinedRecording[]> {
  const { wordsPerRecording, edgeSeconds, pauseSeconds, background } = joining;
  const single = prompts.filter(({ text }) => normaliseWords(text).length === 1);
  const recordings: JoinedRecording[] = [];
  for (let i = 0; i + wordsPerRecording <= single.length; i += wordsPerRecording) {
    const parts: Int16Array[] = [silence(edgeSeconds)];
    const words: TimedWord[] = [];
    let samples = parts[0]!.length;
    for (const [n, { path, text }] of single.slice(i, i + wordsPerRecording).entries()) {
      const spoken = trimmed(await readPcm(path));
      const start = samples / sampleRate;
      words.push({ word: text, start, end: start + spoken.length / sampleRate });
      const pause = silence(pauseSeconds(i + n));
      parts.push(spoken, pause);
      samples += spoken.length + pause.length;
    }
    const pcm = joinSamples([...parts, silence(edgeSeconds)]);
    const around = background?.(pcm.length / sampleRate, i + 1);
    recordings.push({ pcm: around ? added(pcm, around) : pcm, words });
  }
  return recordings;
}

function added(pcm: Int16Array, around: Int16Array): Int16Array {
  return pcm.map((sample, i) => Math.max(-32_768, Math.min(32_767, sample + around[i]!)));
}

/** Brown noise: a random walk that is drawn back to zero within a hundred samples. */
function rumble(seconds: number, seed: number): Int16Array {
  const random = createRandom(seed);
  let last = 0;
  const walk = Float64Array.from({ length: Math.round(seconds * sampleRate) }, () => {
    return (last = 0.99 * last + random() - 0.5);
  });
  const power = walk.reduce((sum, value) => sum + value ** 2, 0) / walk.length;
  const gain = (32_768 * 10 ** (rumbleDb / 20)) / Math.sqrt(power);
  return Int16Array.from(walk, (value) => gain * value);
}
