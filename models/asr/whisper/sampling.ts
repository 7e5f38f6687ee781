// Choosing the next token: the likeliest, or at a temperature; pure.

export interface ChosenToken {
  readonly id: number;
  /** Natural logarithm of the probability at temperature 1. */
  readonly logProbability: number;
}

/**
 * @param logits [vocabulary]; forbidden tokens are -Infinity
 * @param temperature 0 takes the likeliest
 * @param random uniform in [0, 1); asked for above temperature 0 only
 */
export function chooseToken(
  logits: Float32Array,
  temperature: number,
  random: () => number,
): ChosenToken {
  let id = 0;
  let max = -Infinity;
  for (let i = 0; i < logits.length; i += 1) {
    if (logits[i]! > max) {
      max = logits[i]!;
      id = i;
    }
  }
  if (temperature > 0) id = sample(logits, max, { temperature, random });
  return { id, logProbability: logits[id]! - max - Math.log(sumOfExponents(logits, max)) };
}

/** Probability of one token among all. */
export function probabilityOf(logits: Float32Array, token: number): number {
  let max = -Infinity;
  for (const logit of logits) if (logit > max) max = logit;
  return Math.exp(logits[token]! - max) / sumOfExponents(logits, max);
}

function sumOfExponents(logits: Float32Array, max: number): number {
  let sum = 0;
  for (let i = 0; i < logits.length; i += 1) {
    // exp(-16) of 51,865 entries adds at most 0.6 %: skipping those saves most of the pass.
    const difference = logits[i]! - max;
    if (difference > -16) sum += Math.exp(difference);
  }
  return sum;
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

/** Repeatable pseudo-random numbers: mulberry32 (Ettinger 2017), uniform in [0, 1). */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
