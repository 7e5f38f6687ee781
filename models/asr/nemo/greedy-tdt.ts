// Greedy decoding of a token-and-duration transducer (Xu et al. 2023, "Efficient Sequence
// Transduction by Jointly Predicting Tokens and Durations"): each step predicts a token and for how
// many frames it lasts; pure, without session I/O.
import { peakOf, sumOfExponents } from '../softmax.ts';
import type { DecodedToken } from '../spelled-words.ts';

/** A token with the frames of the encoder that it lasts. */
export interface TimedToken extends DecodedToken {
  readonly frame: number;
  readonly frames: number;
}

/** What the joint network says about a frame after the tokens that were written. */
export interface Prediction<State> {
  /** [tokens], the blank included; then [durations]. */
  readonly logits: Float32Array;
  /** After the token that is predicted here, should it be written. */
  readonly state: State;
}

export interface TransducerOptions {
  /** Tokens with the blank. */
  readonly tokens: number;
  readonly blank: number;
  /** Tokens of one frame; more are a loop. */
  readonly maxTokensPerFrame: number;
}

/**
 * @param predict about a frame; the token that was written last, the blank before any
 * @param start the state before any token
 * @param frames those of the clip
 */
export async function decodeTransducer<State>(
  predict: (frame: number, token: number, state: State) => Promise<Prediction<State>>,
  start: State,
  frames: number,
  { tokens: count, blank, maxTokensPerFrame }: TransducerOptions,
): Promise<readonly TimedToken[]> {
  const tokens: TimedToken[] = [];
  let state = start;
  let frame = 0;
  let written = 0;
  while (frame < frames) {
    const predicted = await predict(frame, tokens.at(-1)?.id ?? blank, state);
    const scores = predicted.logits.subarray(0, count);
    const { id, max } = peakOf(scores);
    // Durations are 0, 1, 2, ... frames.
    const duration = peakOf(predicted.logits.subarray(count)).id;
    if (id !== blank) {
      const logProbability = -Math.log(sumOfExponents(scores, max));
      tokens.push({ id, logProbability, frame, frames: duration });
      state = predicted.state;
      written += 1;
    }
    if (duration > 0 || id === blank || written === maxTokensPerFrame) {
      frame += Math.max(1, duration);
      written = 0;
    }
  }
  return tokens;
}
