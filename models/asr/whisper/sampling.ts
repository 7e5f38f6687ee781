// Selection of the next token: the likeliest, or sampled at a temperature; pure.
import { peakOf, sumOfExponents } from '../softmax.ts';
import type { DecodedToken } from '../spelled-words.ts';

/**
 * @param logits [vocabulary]; forbidden tokens are -Infinity
 * @param temperature 0 selects the likeliest
 * @param random uniform in [0, 1); called above temperature 0 only
 */
export function chooseToken(
  logits: Float32Array,
  temperature: number,
  random: () => number,
): DecodedToken {
  const peak = peakOf(logits);
  const { max } = peak;
  const id = temperature > 0 ? sample(logits, max, { temperature, random }) : peak.id;
  return { id, logProbability: logits[id]! - max - Math.log(sumOfExponents(logits, max)) };
}

/** Probability of one token among all. */
export function probabilityOf(logits: Float32Array, token: number): number {
  const { max } = peakOf(logits);
  return Math.exp(logits[token]! - max) / sumOfExponents(logits, max);
}

function sample(
  logits: Float32Array,
  max: number,
  { temperature, random }: { readonly temperature: number; readonly random: () => number },
): number {
  const weight = (logit: number): number => Math.exp((logit - max) / temperature);
  let left = random() * logits.reduce((sum, logit) => sum + weight(logit), 0);
  for (let i = 0; i < logits.length; i += 1) {
    left -= weight(logits[i]!);
    if (left <= 0) return i;
  }
  return logits.length - 1;
}

/** Reproducible pseudo-random numbers: mulberry32 (Ettinger 2017), uniform in [0, 1). */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** In place of random numbers where the likeliest token is taken. */
export function never(): number {
  throw new Error('greedy decoding needs no random numbers');
}
