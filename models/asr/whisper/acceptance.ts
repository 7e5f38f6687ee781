// Whether decoded text is accepted: the checks of Whisper's temperature fallback; pure.
import { deflateSync } from 'node:zlib';
import { longestRepeat } from '../plausibility.ts';
import type { DecodedToken } from '../spelled-words.ts';
import { isWrittenIn } from '../writing.ts';

export interface WrittenTokens {
  readonly tokens: readonly DecodedToken[];
  /** False when the token limit ran out before the end token. */
  readonly ended: boolean;
  readonly text: string;
  /** Probability of the no-speech token at the first position. */
  readonly noSpeech: number;
  /** Mean natural logarithm of the tokens' probabilities, including the end token. */
  readonly meanLogProbability: number;
}

/** Whisper's own thresholds (Radford et al. 2022, section 4.5). */
export const maxCompressionRatio = 2.4;
const minMeanLogProbability = -1;
const maxNoSpeech = 0.6;
/**
 * One or two tokens decoded from silence have a higher mean ("you", -0.8) than a sentence, while
 * single spoken words have a no-speech probability of at most 0.4.
 */
const fewTokens = 3;
const minMeanOfFew = -0.7;

/** A text with such an end is above the threshold of the compression ratio. */
const loopTokens = 40;
const maxPhraseTokens = 8;

/** Nobody says a phrase so often in a row, whatever is said before and after it. */
const loopRepeats = 10;

/** An upper-case text with fewer letters may be an abbreviation ... */
const captionLetters = 8;
/** ... and one without so long a word is spelled, or several abbreviations. */
const captionWord = /\p{L}{5}/u;

/** An end token that is less likely than this may be one of a model that has lost its place ... */
const sureEnd = 0.7;
/** ... if the text has fewer tokens for each second: three are usual, and more outside English. */
const minTokensPerSecond = 2;

/** Bytes of the text in UTF-8 divided by its deflated bytes; high for repetition loops. */
export function compressionRatio(text: string): number {
  const bytes = Buffer.from(text);
  return bytes.length / deflateSync(bytes).length;
}

/**
 * True when a phrase has been repeated for so long that the text is a loop, which otherwise goes on
 * to the token limit in each attempt.
 */
export function endsInLoop(tokens: readonly Pick<DecodedToken, 'id'>[]): boolean {
  const end = tokens.slice(-loopTokens).map(({ id }) => id);
  if (end.length < loopTokens) return false;
  const periods = Array.from({ length: maxPhraseTokens }, (_, i) => i + 1);
  return periods.some((period) => end.every((id, i) => i < period || id === end[i - period]));
}

/**
 * True when a phrase is a loop that the text has left again: between enough other words it does not
 * show in the compression ratio ("non puoi mandare audio ag ag ag ...", 28 times).
 */
export function hasLoop(tokens: readonly Pick<DecodedToken, 'id'>[]): boolean {
  return longestRepeat(tokens.map(({ id }) => id)) >= loopRepeats;
}

/**
 * True when the chunk has no speech: unlikely text with a high no-speech probability, or the
 * caption of a sound, which subtitles write in capitals: "СПОКОЙНАЯ МУЗЫКА".
 */
export function isSilence(written: WrittenTokens): boolean {
  const { text, tokens, noSpeech, meanLogProbability } = written;
  if (isCaption(text)) return true;
  const minMean = tokens.length <= fewTokens ? minMeanOfFew : minMeanLogProbability;
  return noSpeech > maxNoSpeech && meanLogProbability < minMean;
}

function isCaption(text: string): boolean {
  const letters = text.replaceAll(/\P{L}/gu, '');
  const isUpper = letters === letters.toUpperCase() && letters !== letters.toLowerCase();
  return letters.length >= captionLetters && isUpper && captionWord.test(text);
}

/** False for a text without its end token, with a loop, or in letters of other languages. */
export function isReadable({ ended, tokens, text }: WrittenTokens, language: string): boolean {
  return ended && !hasLoop(tokens) && isWrittenIn(language, text);
}

/**
 * True when the text is not readable, repeats itself or is too unlikely, so another attempt should
 * be made.
 * @param language that it is written in
 */
export function isDoubtful(written: WrittenTokens, language: string): boolean {
  if (isSilence(written)) return false;
  return (
    !isReadable(written, language) ||
    compressionRatio(written.text) > maxCompressionRatio ||
    written.meanLogProbability < minMeanLogProbability
  );
}

/** True when an accepted text may have ended long before the end of what is said. */
export function endsEarly(
  { tokens, ended }: Pick<WrittenTokens, 'tokens' | 'ended'>,
  durationSeconds: number,
): boolean {
  const end = tokens.at(-1);
  if (!ended || !end || Math.exp(end.logProbability) >= sureEnd) return false;
  return tokens.length - 1 < minTokensPerSecond * durationSeconds;
}
