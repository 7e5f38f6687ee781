// Chunks of one recording vote on each other's language: an uncertain chunk follows the others, a
// certain one does not; pure.
import {
  decideLanguage,
  isSurelyEnglish,
  likelihoods,
  type LanguagePrior,
} from '../asr/language-decision.ts';
import type { AnalyzedChunk } from './analyzed-chunk.ts';

/** How a chunk is to be recognised again. */
export interface SecondPass {
  readonly index: number;
  /** null: it was taken for English, which Whisper has to confirm. */
  readonly language: string | null;
  readonly prior: LanguagePrior;
}

export interface ChunkLanguage extends Pick<
  AnalyzedChunk,
  'index' | 'language' | 'languages' | 'english'
> {
  readonly seconds: number;
}

/** So much certain speech in a language makes it twice as likely elsewhere in the recording. */
const doublingSeconds = 2;
/** A chunk that is more certain than this on its own is never outvoted. */
const mostWeight = 4;
/** Log-odds of English below which the rest of the recording does not make a chunk English. */
const neverEnglish = -3;

/** @returns the chunks that the rest of the recording puts into another language, or in doubt */
export function selectForSecondPass(chunks: readonly ChunkLanguage[]): readonly SecondPass[] {
  const votes = chunks.map(voteOf);
  const total = new Map<string, number>();
  for (const [i, { language }] of chunks.entries()) {
    if (language) total.set(language, (total.get(language) ?? 0) + votes[i]!);
  }
  return chunks.flatMap((chunk, i) => {
    const weights = [...total].map(([code, seconds]) => {
      const others = Math.max(0, seconds - (code === chunk.language ? votes[i]! : 0));
      return [code, Math.min(mostWeight, Math.log(1 + others / doublingSeconds))] as const;
    });
    return reconsidered(chunk, Object.fromEntries(weights));
  });
}

function reconsidered(
  { index, language, languages, english }: ChunkLanguage,
  prior: LanguagePrior,
): readonly SecondPass[] {
  if (!languages) {
    const alone = typeof english === 'number' && isSurelyEnglish(english, {});
    const doubted = alone && !isSurelyEnglish(english, prior);
    return doubted ? [{ index, language: null, prior }] : [];
  }
  const own = (english ?? 0) < neverEnglish ? { ...prior, en: 0 } : prior;
  const decided = decideLanguage({ heard: languages, prior: own });
  return decided === language ? [] : [{ index, language: decided, prior: own }];
}

/** Seconds of the chunk, by how sure its language is; 0 where it is as likely another one. */
function voteOf({ language, languages, english, seconds }: ChunkLanguage): number {
  if (!language) return 0;
  const probability = languages
    ? likelihoods({ heard: languages, prior: {} })[language]
    : 1 / (1 + Math.exp(-(english ?? 0)));
  return seconds * Math.max(0, 2 * (probability ?? 0) - 1);
}
