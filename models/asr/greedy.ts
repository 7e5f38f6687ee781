// Greedy autoregressive decoding of several clips together: pure control, no session I/O.
import type { DecodedToken } from './vocab.ts';

/** A decoder that has a row for each of several clips, all of them at the same position. */
export interface DecoderRows {
  /** Reads the next token of each row. @returns the likeliest token after it, one per row */
  step(tokens: readonly number[]): Promise<readonly DecodedToken[]>;
  /** Only these rows go on; ascending. */
  keep(rows: readonly number[]): void;
}

export interface GreedyOptions {
  readonly startToken: number;
  readonly endToken: number;
  /** Of each row. */
  readonly maxTokens: readonly number[];
}

export interface GreedyResult {
  readonly tokens: readonly DecodedToken[];
  /** False when `maxTokens` ran out before the end token: usually a repetition loop. */
  readonly ended: boolean;
}

/**
 * Rows leave once the share that goes on is no larger than this: moving what stays costs as much as
 * two or three steps.
 */
const compactionShare = 3 / 4;

interface Row {
  readonly maxTokens: number;
  readonly tokens: DecodedToken[];
  done: boolean;
  ended: boolean;
}

/** Takes each row's likeliest token at each step until its end token or limit. */
export async function decodeGreedily(
  decoder: DecoderRows,
  { startToken, endToken, maxTokens }: GreedyOptions,
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
    for (const [i, row] of rows.entries()) if (!row.done) take(row, next[i]!, endToken);
  }
  return all.map(({ tokens, ended }) => ({ tokens, ended }));
}

function take(row: Row, token: DecodedToken, endToken: number): void {
  row.ended = token.id === endToken;
  if (!row.ended) row.tokens.push(token);
  row.done = row.ended || row.tokens.length >= row.maxTokens;
}
