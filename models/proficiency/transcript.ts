// The words of a given transcript, and whether a recording says them; pure.
import { bareWord } from '../asr/transcript.ts';
import type { HeardWord, PronouncedWord } from './pronounced-word.ts';
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

/**
 * False when the rest of the transcript, which the last window has to take, is too long for it:
 * none of its words could be aligned.
 * @param windows the words that each window took
 */
export function hasRoom(windows: readonly (readonly Pick<PronouncedWord, 'phones'>[])[]): boolean {
  const last = windows.findLast((words) => words.length > 0) ?? [];
  return last.some(({ phones }) => phones > 0);
}

/**
 * A word that stands for others is heard in little of its length, so its share counts beside that
 * of the speech, as 2 to 3.
 */
const wordShareWeight = 0.4;
/**
 * Of whole transcripts with slips, repetitions and asides; less for readers whose phones fit badly.
 * Chosen against halves of transcripts (models/weights/proficiency.md).
 */
const leastHeard = { share: 0.73, perGoodness: 0.06 };

/**
 * False when the recording says much more than the words of its transcript.
 * @param speechSeconds of the recording
 */
export function coversSpeech(
  words: readonly Pick<HeardWord, 'heardSeconds' | 'start' | 'end' | 'phones' | 'gop'>[],
  speechSeconds: number,
): boolean {
  const goodness = meanGoodness(words);
  if (goodness === null) return false;
  const heard = words.reduce((sum, { heardSeconds }) => sum + heardSeconds, 0);
  const length = words.reduce((sum, { start, end }) => sum + end - start, 0);
  const share =
    (1 - wordShareWeight) * (heard / speechSeconds) + wordShareWeight * (heard / length);
  return share >= leastHeard.share + leastHeard.perGoodness * goodness;
}
