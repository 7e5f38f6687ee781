// Finds the chunks in which a recording may change its language: those next to a chunk in another
// language, and those in which two languages were detected. Pure.
import type { Surroundings } from './language-pieces.ts';
import type { ChunkLanguage } from './language-vote.ts';

/** A chunk in which the language may change, and what is spoken around it. */
export interface LanguageChange extends Surroundings {
  readonly index: number;
}

interface SpokenChunk extends ChunkLanguage {
  /** Only chunks of the same channel are neighbours. */
  readonly channel?: number;
  readonly words: readonly unknown[];
}

/** A language detected with this probability may be spoken in part of the chunk. */
const minDetectedProbability = 0.2;
/** Shorter chunks are in one language. */
const minSeconds = 3;

/** @param chunks in order, each with the language in which it was recognised */
export function findLanguageChanges(chunks: readonly SpokenChunk[]): readonly LanguageChange[] {
  const byChannel = Map.groupBy(chunks, ({ channel }) => channel ?? null);
  return [...byChannel.values()].flatMap((own) => {
    return own.flatMap((chunk, i): readonly LanguageChange[] => {
      const before = own.slice(0, i).findLast(isSpoken)?.language ?? null;
      const after = own.slice(i + 1).find(isSpoken)?.language ?? null;
      const around = [before, after, chunk.language ?? null, ...detected(chunk)];
      const candidates = [...new Set(around)].filter((code) => code !== null);
      const mayChange = candidates.length > 1 && chunk.seconds >= minSeconds;
      const languages = chunk.languages ?? null;
      return mayChange ? [{ index: chunk.index, candidates, languages, before, after }] : [];
    });
  });
}

/** False for silence and music, which have no language. */
function isSpoken({ words }: SpokenChunk): boolean {
  return words.length > 0;
}

function detected({ languages }: SpokenChunk): readonly string[] {
  const all = Object.entries(languages ?? {});
  return all
    .filter(([, probability]) => probability >= minDetectedProbability)
    .map(([code]) => code);
}
