// Greedy autoregressive decoding over a step function: pure control, no session I/O.
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

/** Arg-max of a row of logits with its log-softmax value; one pass each for max and sum. */
function likeliest(logits: Float32Array): DecodedToken {
  let id = 0;
  let max = -Infinity;
  for (let i = 0; i < logits.length; i += 1) {
    if (logits[i]! > max) {
      max = logits[i]!;
      id = i;
    }
  }
  let sum = 0;
  for (let i = 0; i < logits.length; i += 1) {
    // exp(-16) of 32,768 entries adds at most 0.4 %: skipping those saves most of the pass.
    const difference = logits[i]! - max;
    if (difference > -16) sum += Math.exp(difference);
  }
  return { id, logProbability: -Math.log(sum) };
}
