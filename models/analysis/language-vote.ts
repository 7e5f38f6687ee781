// Chunks of one recording on each other's language: who is unsure goes by the others, who is sure
// does not; pure.
import {
  decideLanguage,
  isSurelyEnglish,
  likelihoods,
  type LanguagePrior,
} from '../asr/language-decision.ts';
import type { AnalyzedChunk } from './analyzed-chunk.ts';

/** How a chunk is to be recognised again. */
export interface SecondHearing {
  readonly index: number;
  /** null: it was taken for English, and Whisper is to say whether it is. */
  readonly language: string | null;
  readonly prior: LanguagePrior;
}

export interface HeardLanguage extends Pick<
  AnalyzedChunk,
  'index' | 'language' | 'languages' | 'english'
> {
  readonly seconds: number;
}

/** So much sure speech in a language makes it twice as likely elsewhere in the recording. */
const doublingSeconds = 2;
/** A chunk that is surer than this on its own is never outvoted. */
const mostWeight = 4;

/** @returns the chunks that the rest of the recording puts into another language, or in doubt */
export function hearAgain(chunks: readonly HeardLanguage[]): readonly SecondHearing[] {
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
  { index, language, languages, english }: HeardLanguage,
  prior: LanguagePrior,
): readonly SecondHearing[] {
  if (!languages) {
    const alone = typeof english === 'number' && isSurelyEnglish(english, {});
    const doubted = alone && !isSurelyEnglish(english, prior);
    return doubted ? [{ index, language: null, prior }] : [];
  }
  const decided = decideLanguage({ heard: languages, prior });
  return decided === language ? [] : [{ index, language: decided, prior }];
}

/** Seconds of the chunk, by how sure its language is; 0 where it is as likely another one. */
function voteOf({ language, languages, english, seconds }: HeardLanguage): number {
  if (!language) return 0;
  const probability = languages
    ? likelihoods({ heard: languages, prior: {} })[language]
    : 1 / (1 + Math.exp(-(english ?? 0)));
  return seconds * Math.max(0, 2 * (probability ?? 0) - 1);
}
