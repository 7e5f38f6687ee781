// Whether what Whisper wrote is to be believed: the checks of its own fall-back, pure.
import { deflateSync } from 'node:zlib';
import type { DecodedToken } from '../vocab.ts';

export interface WrittenTokens {
  readonly tokens: readonly DecodedToken[];
  /** False when the token limit ran out before the end token. */
  readonly ended: boolean;
  readonly text: string;
  /** Probability that nobody speaks, before the first token. */
  readonly noSpeech: number;
  /** Mean natural logarithm of the tokens' probabilities, the end token's among them. */
  readonly meanLogProbability: number;
}

/** Whisper's own thresholds (Radford et al. 2022, section 4.5). */
const maxCompressionRatio = 2.4;
const minMeanLogProbability = -1;
const maxNoSpeech = 0.6;
/**
 * One or two tokens on silence are surer of themselves ("you", -0.8) than a sentence is; single
 * words that were spoken have a probability of no speech of at most 0.4.
 */
const fewTokens = 3;
const minMeanOfFew = -0.7;

/** Letters of a text in capitals alone that is no abbreviation any more. */
const captionLetters = 8;

/** UTF-8 bytes of the text by its deflated bytes: loops compress well. */
export function compressionRatio(text: string): number {
  const bytes = Buffer.from(text);
  return bytes.length / deflateSync(bytes).length;
}

/**
 * True when nobody speaks: unlikely text under a high probability of no speech, or the caption of a
 * sound, which subtitles have in capitals: "СПОКОЙНАЯ МУЗЫКА".
 */
export function isSilence(written: WrittenTokens): boolean {
  const { text, tokens, noSpeech, meanLogProbability } = written;
  if (isCaption(text)) return true;
  const least = tokens.length <= fewTokens ? minMeanOfFew : minMeanLogProbability;
  return noSpeech > maxNoSpeech && meanLogProbability < least;
}

function isCaption(text: string): boolean {
  const letters = text.replaceAll(/\P{L}/gu, '');
  const isUpper = letters === letters.toUpperCase() && letters !== letters.toLowerCase();
  return letters.length >= captionLetters && isUpper;
}

/** True when the text loops or is too unlikely: another attempt is worth its time. */
export function isDoubtful(written: WrittenTokens): boolean {
  if (isSilence(written)) return false;
  return (
    !written.ended ||
    compressionRatio(written.text) > maxCompressionRatio ||
    written.meanLogProbability < minMeanLogProbability
  );
}
