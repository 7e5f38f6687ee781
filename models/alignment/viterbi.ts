// Viterbi alignment of a known phone sequence to frames, with optional silence between words.

export interface AlignmentState {
  /** Column of the log-likelihoods. */
  readonly phone: number;
  /** True for a silence, which the path may skip. */
  readonly skippable: boolean;
}

/** Frames `[start, end)` of one state; empty for a skipped silence. */
export interface FrameSpan {
  readonly start: number;
  readonly end: number;
}

export interface FrameScores {
  /** Log-likelihoods, row-major [frames, phones]. */
  readonly data: Float32Array;
  readonly frames: number;
  readonly phones: number;
}

/**
 * The most likely frames of each state, in order and without gaps. A state lasts at least one
 * frame, and two skippable states never follow each other (Rabiner 1989, with skips over silence).
 * @returns one span per state, or null when there are fewer frames than states that must appear
 */
export function alignStates(
  states: readonly AlignmentState[],
  scores: FrameScores,
): readonly FrameSpan[] | null {
  const needed = states.filter((state) => !state.skippable).length;
  if (states.length === 0 || scores.frames < Math.max(1, needed)) return null;
  const paths = bestPaths(states, scores);
  let last = states.length - 1;
  const before = paths.totals[last - 1] ?? -Infinity;
  if (states[last]!.skippable && before > paths.totals[last]!) last -= 1;
  return Number.isFinite(paths.totals[last]!) ? trace(paths, last) : null;
}

/**
 * The same where the frames may end early: in any skippable state, or right before one.
 * @returns one span per state that is reached, the first of all states; [] without frames
 */
export function alignFirstStates(
  states: readonly AlignmentState[],
  scores: FrameScores,
): readonly FrameSpan[] {
  if (states.length === 0 || scores.frames === 0) return [];
  const paths = bestPaths(states, scores);
  let last = -1;
  states.forEach(({ skippable }, state) => {
    const mayEnd = skippable || (states[state + 1]?.skippable ?? true);
    if (mayEnd && paths.totals[state]! > (paths.totals[last] ?? -Infinity)) last = state;
  });
  return last < 0 ? [] : trace(paths, last).slice(0, last + 1);
}

interface BestPaths {
  /** Of the best path to each state at the last frame; -Infinity for one that cannot be reached. */
  readonly totals: Float64Array;
  /**
   * Row-major [frames, states]: how many states back the best path comes from: 0 stays, 1 advances,
   * 2 skips a silence.
   */
  readonly back: Uint8Array;
  readonly frames: number;
}

function bestPaths(
  states: readonly AlignmentState[],
  { data, frames, phones }: FrameScores,
): BestPaths {
  const count = states.length;
  let score = new Float64Array(count).fill(-Infinity);
  let next = new Float64Array(count);
  const back = new Uint8Array(frames * count);
  score[0] = data[states[0]!.phone]!;
  if (states[0]!.skippable && count > 1) score[1] = data[states[1]!.phone]!;
  for (let frame = 1; frame < frames; frame += 1) {
    for (let state = 0; state < count; state += 1) {
      let best = score[state]!;
      let from = 0;
      if (state > 0 && score[state - 1]! > best) {
        best = score[state - 1]!;
        from = 1;
      }
      if (state > 1 && states[state - 1]!.skippable && score[state - 2]! > best) {
        best = score[state - 2]!;
        from = 2;
      }
      next[state] = best + data[frame * phones + states[state]!.phone]!;
      back[frame * count + state] = from;
    }
    [score, next] = [next, score];
  }
  return { totals: score, back, frames };
}

function trace({ totals, back, frames }: BestPaths, last: number): readonly FrameSpan[] {
  const count = totals.length;
  const starts = new Int32Array(count).fill(-1);
  const ends = new Int32Array(count).fill(-1);
  let state = last;
  for (let frame = frames - 1; frame >= 0; frame -= 1) {
    if (ends[state] === -1) ends[state] = frame + 1;
    starts[state] = frame;
    state -= back[frame * count + state]!;
  }
  let reached = 0;
  return Array.from(starts, (start, i) => {
    const span = start < 0 ? { start: reached, end: reached } : { start, end: ends[i]! };
    reached = span.end;
    return span;
  });
}
