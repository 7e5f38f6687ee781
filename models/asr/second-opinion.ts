// Whether English words are recognised again by a larger model, and whether its reading counts;
// pure.
import { bareWord, type Word } from './transcript.ts';

/**
 * Squared doubt (1 less confidence), summed over the words of a chunk, above which it is recognised
 * again: that of one word at 0.6, and in longer chunks more with each second (docs/adr/0057).
 */
const leastDoubt = 0.16;
const doubtPerSecond = 0.1;
/** Of every chunk so much is padding and the start of speech. */
const freeSeconds = 1.5;
/**
 * Where the first model hears none, of each of a few words, and of more on average: music and noise
 * are no words.
 */
const leastWithoutFirst = 0.5;
/** Of a second reading's words on average, if it has fewer than half as many as the first. */
const leastOfFewer = 0.5;
/** A reading of more words is not given up because the other model hears no speech. */
const fewWords = 3;
/** Fewer words are repeated in ordinary speech: "no, no", "thank you, thank you". */
const minRepeatedWords = 3;

/**
 * True if a second opinion on the words of a chunk is worth its time, and where there is none.
 * Doubt is squared because a word at 0.3 is likelier to be wrong than one of two at 0.65.
 */
export function isUnsure(words: readonly Word[], durationSeconds: number): boolean {
  if (words.length === 0) return true;
  const doubt = words.reduce((sum, { confidence }) => sum + (1 - (confidence ?? 1)) ** 2, 0);
  return doubt > Math.max(leastDoubt, doubtPerSecond * (durationSeconds - freeSeconds));
}

/**
 * False if the first reading stays as it is; each is [] where no speech is heard. Of two that have
 * words the rest is decided word by word (`combine-readings.ts`).
 */
export function isSecondTrusted(first: readonly Word[], second: readonly Word[]): boolean {
  if (second.length === 0) return first.length <= fewWords;
  if (first.length === 0) return isSureAlone(second);
  if (2 * second.length < first.length && meanConfidence(second) < leastOfFewer) return false;
  // Whisper writes the last sentence of a chunk twice at times; somebody who says it twice is
  // heard by both.
  return repeatedWords(second) <= repeatedWords(first);
}

function isSureAlone(words: readonly Word[]): boolean {
  if (words.length > fewWords) return meanConfidence(words) >= leastWithoutFirst;
  return words.every(({ confidence }) => confidence! >= leastWithoutFirst);
}

/** Words of a lower mean confidence may be made of a sound: "You", "Thank you." */
const minSureConfidence = 0.5;

/** Words of a sound, or none. */
export function areUnsure(words: readonly Word[]): boolean {
  return words.length === 0 || meanConfidence(words) < minSureConfidence;
}

/** @param words at least one */
export function meanConfidence(words: readonly Pick<Word, 'confidence'>[]): number {
  return words.reduce((sum, { confidence }) => sum + (confidence ?? 1), 0) / words.length;
}

/** The number of words in phrases that repeat the phrase before them. */
function repeatedWords(words: readonly Pick<Word, 'word'>[]): number {
  const bare = words.map(({ word }) => bareWord(word));
  let repeated = 0;
  for (let end = 2 * minRepeatedWords; end <= bare.length; end += 1) {
    const longest = Math.floor(end / 2);
    for (let length = longest; length >= minRepeatedWords; length -= 1) {
      if (!repeatsBefore(bare, end, length)) continue;
      repeated += length;
      break;
    }
  }
  return repeated;
}

/** True if the `length` words before `end` are the `length` words before them. */
function repeatsBefore(words: readonly string[], end: number, length: number): boolean {
  for (let i = end - length; i < end; i += 1) if (words[i] !== words[i - length]) return false;
  return true;
}
