// Greedy autoregressive decoding over a step function: pure control, no session I/O.
import { peakOf, sumOfExponents } from './softmax.ts';
import type { DecodedToken } from './vocab.ts';

/** Runs the decoder on one token and returns the logits of the next, [vocabulary]. */
export type DecoderStep = (token: number, position: number) => Promise<Float32Array>;

export interface GreedyOptions {
  readonly startToken: number;
  readonly endToken: number;
  readonly maxTokens: number;
}

export interface GreedyResult {
  readonly tokens: readonly DecodedToken[];
  /** False when `maxTokens` ran out before the end token: usually a repetition loop. */
  readonly ended: boolean;
}

/** Takes the likeliest token at each step until the end token or `maxTokens`. */
export async function decodeGreedily(
  step: DecoderStep,
  { startToken, endToken, maxTokens }: GreedyOptions,
): Promise<GreedyResult> {
  const tokens: DecodedToken[] = [];
  let previous = startToken;
  for (let position = 0; position < maxTokens; position += 1) {
    const next = likeliest(await step(previous, position));
    if (next.id === endToken) return { tokens, ended: true };
    tokens.push(next);
    previous = next.id;
  }
  return { tokens, ended: false };
}

function likeliest(logits: Float32Array): DecodedToken {
  const { id, max } = peakOf(logits);
  return { id, logProbability: -Math.log(sumOfExponents(logits, max)) };
}
