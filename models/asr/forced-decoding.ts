// Reads given tokens through a decoder, in place of those that it would choose; pure, without
// session I/O.
import { peakOf } from './softmax.ts';
import type { DecodedToken } from './spelled-words.ts';

/** One row after its last token. */
interface ReadStep {
  /** [vocabulary] */
  readonly logits: Float32Array;
}

export interface ForcedToken<Step> {
  readonly token: DecodedToken;
  /** The step at which the token was read from the row. */
  readonly step: Step;
}

/**
 * @param read feeds the previous token of each row; null before the first
 * @param sequences of token ids; rows that have ended are fed on, without effect
 * @returns each token with its probability among all
 */
export async function forceTokens<Read extends ReadStep, Step>(
  read: (last: readonly number[] | null) => Promise<readonly Read[]>,
  sequences: readonly (readonly number[])[],
  stepOf: (read: Read) => Step,
): Promise<readonly (readonly ForcedToken<Step>[])[]> {
  const forced = sequences.map((): ForcedToken<Step>[] => []);
  const length = Math.max(...sequences.map((tokens) => tokens.length));
  for (let position = 0; position < length; position += 1) {
    const last = sequences.map((tokens) => tokens[Math.min(position, tokens.length) - 1]!);
    const rows = await read(position === 0 ? null : last);
    sequences.forEach((tokens, row) => {
      const id = tokens[position];
      if (id === undefined) return;
      const logProbability = logProbabilityOf(rows[row]!.logits, id);
      forced[row]!.push({ token: { id, logProbability }, step: stepOf(rows[row]!) });
    });
  }
  return forced;
}

function logProbabilityOf(logits: Float32Array, id: number): number {
  const { max } = peakOf(logits);
  let sum = 0;
  for (const logit of logits) sum += Math.exp(logit - max);
  return logits[id]! - max - Math.log(sum);
}
