// Chunks of one recording vote on each other's language: an uncertain chunk follows the others, a
// certain one does not; pure.
import {
  decideLanguage,
  isClearlyEnglish,
  isNeverEnglish,
  languagePosteriors,
  type LanguagePrior,
} from '../asr/language-decision.ts';
import type { AnalyzedChunk } from './analyzed-chunk.ts';

/** A chunk that is recognised again, and how. */
export interface SecondPass {
  readonly index: number;
  /** null when it was taken for English, which Whisper has to confirm or correct. */
  readonly language: string | null;
  readonly prior: LanguagePrior;
}

export interface ChunkLanguage extends Pick<
  AnalyzedChunk,
  'index' | 'language' | 'languages' | 'english' | 'englishParts'
> {
  readonly seconds: number;
}

/**
 * Seconds of confidently detected speech in a language that double its prior odds for the other
 * chunks.
 */
const doublingSeconds = 2;
/** Upper limit of a prior's weight, so that a chunk with higher log-odds is never outvoted. */
const maxWeight = 4;

/** @returns the chunks whose language the rest of the recording contradicts */
export function selectForSecondPass(chunks: readonly ChunkLanguage[]): readonly SecondPass[] {
  const votes = chunks.map(voteOf);
  const total = new Map<string, number>();
  for (const [i, { language }] of chunks.entries()) {
    if (language) total.set(language, (total.get(language) ?? 0) + votes[i]!);
  }
  return chunks.flatMap((chunk, i) => {
    const weights = [...total].map(([code, seconds]) => {
      const others = Math.max(0, seconds - (code === chunk.language ? votes[i]! : 0));
      return [code, Math.min(maxWeight, Math.log(1 + others / doublingSeconds))] as const;
    });
    return reconsidered(chunk, Object.fromEntries(weights));
  });
}

function reconsidered(
  { index, language, languages, english }: ChunkLanguage,
  prior: LanguagePrior,
): readonly SecondPass[] {
  if (!languages) {
    const wasClear = typeof english === 'number' && isClearlyEnglish(english, {});
    const isDoubtful = wasClear && !isClearlyEnglish(english, prior);
    return isDoubtful ? [{ index, language: null, prior }] : [];
  }
  const own = isNeverEnglish(english ?? 0) ? { ...prior, en: 0 } : prior;
  const decided = decideLanguage({ detected: languages, prior: own });
  return decided === language ? [] : [{ index, language: decided, prior: own }];
}

/** The chunk's seconds, weighted by the confidence in its language: 0 at even odds. */
function voteOf({ language, languages, english, seconds }: ChunkLanguage): number {
  if (!language) return 0;
  const probability = languages
    ? languagePosteriors({ detected: languages, prior: {} })[language]
    : 1 / (1 + Math.exp(-(english ?? 0)));
  return seconds * Math.max(0, 2 * (probability ?? 0) - 1);
}
