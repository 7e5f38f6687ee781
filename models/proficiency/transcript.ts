// The words of a given transcript, and whether a recording says them; pure.
import { bareWord } from '../asr/transcript.ts';
import type { PronouncedWord } from './pronounced-word.ts';
import { meanGoodness, type ProficiencyCalibration } from './scores.ts';

/** Words of a transcript: parts between spaces that contain a letter or a digit. */
export function transcriptWords(text: string): readonly string[] {
  return text.split(/\s+/).filter((word) => bareWord(word) !== '');
}

/**
 * False for the words of another text, whose phones are not those of the recording.
 * @param words of the transcript, aligned to the recording
 */
export function fitsTranscript(
  words: readonly Pick<PronouncedWord, 'phones' | 'gop'>[],
  { transcript: { leastGoodness } }: ProficiencyCalibration,
): boolean {
  return (meanGoodness(words) ?? -Infinity) >= leastGoodness;
}
