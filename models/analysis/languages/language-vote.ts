// Chunks of one recording vote on each other's language: an uncertain chunk follows the others, a
// certain one does not; pure.
import {
  decideLanguage,
  isClearlyEnglish,
  isNeverEnglish,
  languagePosteriors,
  type LanguagePrior,
} from '../../asr/language-decision.ts';
import type { LanguageProbabilities } from '../../asr/transcript.ts';
import type { AnalyzedChunk } from '../analyzed-chunk.ts';

/** A chunk that is recognised again, and how. */
export interface SecondPass {
  readonly index: number;
  /** null when it was taken for English, which Whisper has to confirm or correct. */
  readonly language: string | null;
  readonly prior: LanguagePrior;
  /** Posterior probabilities of what was detected; null where nothing was. */
  readonly languages: LanguageProbabilities | null;
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
    const others = [...total].map(([code, seconds]) => {
      return [code, seconds - (code === chunk.language ? votes[i]! : 0)] as const;
    });
    return reconsidered(chunk, priorOf(new Map(others)));
  });
}

/**
 * The first language has at most the upper limit, and the others keep their distance to it: three
 * minutes of what may be Italian weigh nothing in an hour of Spanish.
 * @param seconds confident seconds of each language
 */
function priorOf(seconds: ReadonlyMap<string, number>): LanguagePrior {
  const weights = [...seconds].map(([code, own]) => {
    return [code, Math.log(1 + Math.max(0, own) / doublingSeconds)] as const;
  });
  const excess = Math.max(0, ...weights.map(([, weight]) => weight - maxWeight));
  return Object.fromEntries(weights.map(([code, weight]) => [code, Math.max(0, weight - excess)]));
}

function reconsidered(
  { index, language, languages, english }: ChunkLanguage,
  prior: LanguagePrior,
): readonly SecondPass[] {
  if (!languages) {
    const wasClear = typeof english === 'number' && isClearlyEnglish(english, {});
    const isDoubtful = wasClear && !isClearlyEnglish(english, prior);
    return isDoubtful ? [{ index, language: null, prior, languages: null }] : [];
  }
  const own = isNeverEnglish(english ?? 0) ? { ...prior, en: 0 } : prior;
  const evidence = { detected: languages, prior: own };
  const decided = decideLanguage(evidence);
  if (decided === language) return [];
  return [{ index, language: decided, prior: own, languages: languagePosteriors(evidence) }];
}

/** The chunk's seconds, weighted by the confidence in its language: 0 at even odds. */
function voteOf({ language, languages, english, seconds }: ChunkLanguage): number {
  if (!language) return 0;
  const probability = languages
    ? languagePosteriors({ detected: languages, prior: {} })[language]
    : 1 / (1 + Math.exp(-(english ?? 0)));
  return seconds * Math.max(0, 2 * (probability ?? 0) - 1);
}
