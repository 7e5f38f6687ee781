// Chunks in which a recording may change its language: those beside a chunk in another language,
// and those in which two languages were detected; pure.
import type { Surroundings } from './language-pieces.ts';
import type { ChunkLanguage } from './language-vote.ts';

export interface Border extends Surroundings {
  readonly index: number;
}

interface SpokenChunk extends ChunkLanguage {
  /** Chunks of one channel follow each other. */
  readonly channel?: number;
  readonly words: readonly unknown[];
}

/** A chunk in which a second language has this probability may hold both. */
const secondLanguage = 0.2;
/** A shorter chunk has no room for two languages. */
const leastSeconds = 3;

/** @param chunks in order, each in the language that it was recognised in */
export function findBorders(chunks: readonly SpokenChunk[]): readonly Border[] {
  const byChannel = Map.groupBy(chunks, ({ channel }) => channel ?? null);
  return [...byChannel.values()].flatMap((own) => {
    return own.flatMap((chunk, i): readonly Border[] => {
      const before = own.slice(0, i).findLast(isSpoken)?.language ?? null;
      const after = own.slice(i + 1).find(isSpoken)?.language ?? null;
      const around = [before, after, chunk.language ?? null, ...detected(chunk)];
      const candidates = [...new Set(around)].filter((code) => code !== null);
      const mayChange = candidates.length > 1 && chunk.seconds >= leastSeconds;
      const languages = chunk.languages ?? null;
      return mayChange ? [{ index: chunk.index, candidates, languages, before, after }] : [];
    });
  });
}

/** Silence and music have no language. */
function isSpoken({ words }: SpokenChunk): boolean {
  return words.length > 0;
}

function detected({ languages }: SpokenChunk): readonly string[] {
  const all = Object.entries(languages ?? {});
  return all.filter(([, probability]) => probability >= secondLanguage).map(([code]) => code);
}
