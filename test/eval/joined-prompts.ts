// Recordings with known word times: telephone prompts of one word, trimmed and joined with pauses.
import { sampleRate } from '../../models/audio/sample-rate.ts';
import { joinSamples } from '../../models/audio/samples.ts';
import { noise, silence } from '../support/speech.ts';
import type { TimedWord } from '../metrics/word-time-error.ts';
import { normaliseWords } from '../metrics/text-normalisation.ts';
import { trimmed } from './dialogues.ts';
import { readPcm, type Utterance } from './speech-data.ts';

/** How words are joined. */
export interface Joining {
  readonly wordsPerRecording: number;
  /** Before the first word, and behind the last one's pause. */
  readonly edgeSeconds: number;
  /** The pause behind a word. @param n of the word, over all recordings */
  readonly pauseSeconds: (n: number) => number;
  /** Amplitude of white noise throughout; 0 for digital silence between the words. */
  readonly noiseAmplitude: number;
}

/** Pauses of 0.1 to 0.4 s, short enough that the words share chunks. */
export const sharedChunks: Joining = {
  wordsPerRecording: 8,
  edgeSeconds: 0.3,
  pauseSeconds: (n) => 0.1 + 0.1 * (n % 4),
  noiseAmplitude: 0,
};

/** Short recordings on a telephone: two words a second apart, in noise of -50 dBFS. */
export const noisyPairs: Joining = {
  wordsPerRecording: 2,
  edgeSeconds: 0.1,
  pauseSeconds: (n) => (n % 2 === 0 ? 1 : 0),
  noiseAmplitude: 180,
};

export interface JoinedRecording {
  readonly pcm: Int16Array;
  readonly words: readonly TimedWord[];
}

/** @param prompts of any length; those of one word are used */
export async function joinPrompts(
  prompts: readonly Utterance[],
  joining: Joining = sharedChunks,
): Promise<readonly JoinedRecording[]> {
  const { wordsPerRecording, edgeSeconds, pauseSeconds, noiseAmplitude } = joining;
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
    recordings.push({ pcm: withNoise(pcm, noiseAmplitude, i + 1), words });
  }
  return recordings;
}

function withNoise(pcm: Int16Array, amplitude: number, seed: number): Int16Array {
  if (amplitude === 0) return pcm;
  const around = noise(pcm.length / sampleRate, { seed, amplitude });
  return pcm.map((sample, i) => Math.max(-32_768, Math.min(32_767, sample + around[i]!)));
}
