// Greedy autoregressive decoding of several clips together; pure, without session I/O.
import type { DecodedToken } from './spelled-words.ts';

/** A decoder with a row for each clip; all rows are at the same position. */
export interface DecoderRows {
  /** Feeds a token to each row. @returns the most likely next token of each row */
  step(tokens: readonly number[]): Promise<readonly DecodedToken[]>;
  /** Keeps these rows only; ascending. */
  keep(rows: readonly number[]): void;
}

export interface GreedyOptions {
  readonly startToken: number;
  readonly endToken: number;
  /** Limit of each row. */
  readonly maxTokens: readonly number[];
  /** True if a row that begins like this is not worth its end; absent: never. */
  readonly isHopeless?: (tokens: readonly DecodedToken[]) => boolean;
}

export interface GreedyResult {
  readonly tokens: readonly DecodedToken[];
  /** False when `maxTokens` was reached or the row given up before the end token. */
  readonly ended: boolean;
}

/**
 * Ended rows are removed once the active share is this small, as moving the others costs as much as
 * two or three steps.
 */
const compactionShare = 3 / 4;

interface Row {
  readonly maxTokens: number;
  readonly tokens: DecodedToken[];
  done: boolean;
  ended: boolean;
}

/** Appends the most likely token of each row until its end token or its limit. */
export async function decodeGreedily(
  decoder: DecoderRows,
  { startToken, endToken, maxTokens, isHopeless = () => false }: GreedyOptions,
): Promise<readonly GreedyResult[]> {
  const all = maxTokens.map((limit): Row => ({
    ...{ maxTokens: limit, tokens: [] },
    ...{ done: limit <= 0, ended: false },
  }));
  let rows: readonly Row[] = all;
  while (rows.some(({ done }) => !done)) {
    const active = rows.flatMap(({ done }, i) => (done ? [] : [i]));
    if (active.length <= rows.length * compactionShare) {
      decoder.keep(active);
      rows = active.map((i) => rows[i]!);
    }
    const next = await decoder.step(rows.map(({ tokens }) => tokens.at(-1)?.id ?? startToken));
    for (const [i, row] of rows.entries()) {
      if (row.done) continue;
      take(row, next[i]!, endToken);
      row.done ||= isHopeless(row.tokens);
    }
  }
  return all.map(({ tokens, ended }) => ({ tokens, ended }));
}

function take(row: Row, token: DecodedToken, endToken: number): void {
  row.ended = token.id === endToken;
  if (!row.ended) row.tokens.push(token);
  row.done = row.ended || row.tokens.length >= row.maxTokens;
}
