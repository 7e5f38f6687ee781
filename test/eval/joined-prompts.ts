// Recordings with known word times: telephone prompts of one word, trimmed and joined with pauses.
import { sampleRate } from '../../models/audio/sample-rate.ts';
import { joinSamples } from '../../models/audio/samples.ts';
import { silence } from '../support/speech.ts';
import type { TimedWord } from '../metrics/word-time-error.ts';
import { normaliseWords } from '../metrics/text-normalisation.ts';
import { trimmed } from './dialogues.ts';
import { readPcm, type Utterance } from './speech-data.ts';

const wordsPerRecording = 8;

export interface JoinedRecording {
  readonly pcm: Int16Array;
  readonly words: readonly TimedWord[];
}

/** @param prompts of any length; those of one word are used */
export async function joinPrompts(
  prompts: readonly Utterance[],
): Promise<readonly JoinedRecording[]> {
  const single = prompts.filter(({ text }) => normaliseWords(text).length === 1);
  const recordings: JoinedRecording[] = [];
  for (let i = 0; i + wordsPerRecording <= single.length; i += wordsPerRecording) {
    const parts: Int16Array[] = [silence(0.3)];
    const words: TimedWord[] = [];
    let samples = parts[0]!.length;
    for (const [n, { path, text }] of single.slice(i, i + wordsPerRecording).entries()) {
      const spoken = trimmed(await readPcm(path));
      const start = samples / sampleRate;
      words.push({ word: text, start, end: start + spoken.length / sampleRate });
      // Pauses of 0.1 to 0.4 s, short enough that the words share chunks.
      const pause = silence(0.1 + 0.1 * ((i + n) % 4));
      parts.push(spoken, pause);
      samples += spoken.length + pause.length;
    }
    recordings.push({ pcm: joinSamples([...parts, silence(0.3)]), words });
  }
  return recordings;
}
