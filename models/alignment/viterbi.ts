// Viterbi alignment of frames to a graph of states: words in order, with parallel paths where one
// is said in several ways, and silence that may be skipped.

export interface AlignmentState {
  /** Column of the log-likelihoods. */
  readonly phone: number;
  /**
   * Earlier states that it may follow, at most 254; of equal paths the first one wins. `opening`
   * lets the frames begin with it.
   */
  readonly after: readonly number[];
}

/** Stands for what comes before the first frame. */
export const opening = -1;

/** Frames `[start, end)`. */
export interface FrameSpan {
  readonly start: number;
  readonly end: number;
}

/** At least one frame of a state. */
export interface StateSpan extends FrameSpan {
  readonly state: number;
}

export interface FrameScores {
  /** Log-likelihoods, row-major [frames, phones]. */
  readonly data: Float32Array;
  readonly frames: number;
  readonly phones: number;
}

/**
 * The most likely path through the states that ends in one of `ends` (Rabiner 1989).
 * @returns the states of the path in order, without gaps; null when there are fewer frames than
 * states on the shortest path
 */
export function alignStates(
  states: readonly AlignmentState[],
  ends: readonly number[],
  scores: FrameScores,
): readonly StateSpan[] | null {
  const needed = leastFrames(states);
  const reached = ends.filter((end) => needed[end]! <= scores.frames);
  if (reached.length === 0) return null;
  // States behind the last end that can be reached would only take time and memory.
  const paths = bestPaths(states.slice(0, 1 + Math.max(...reached)), scores);
  let last = reached[0]!;
  for (const end of reached) if (paths.totals[end]! > paths.totals[last]!) last = end;
  return trace(states, paths, last);
}

/** Of the shortest path to each state. */
function leastFrames(states: readonly AlignmentState[]): Float64Array {
  const least = new Float64Array(states.length).fill(Infinity);
  states.forEach(({ after }, state) => {
    for (const before of after) {
      least[state] = Math.min(least[state]!, 1 + (before === opening ? 0 : least[before]!));
    }
  });
  return least;
}

interface BestPaths {
  /** Of the best path to each state at the last frame. */
  readonly totals: Float64Array;
  /** Row-major [frames, states]: 0 stays, n comes from the n-th state that it may follow. */
  readonly back: Uint8Array;
  readonly frames: number;
}

function bestPaths(
  states: readonly AlignmentState[],
  { data, frames, phones }: FrameScores,
): BestPaths {
  const count = states.length;
  const columns = Int32Array.from(states, ({ phone }) => phone);
  const entries = states.map(({ after }) => after.filter((state) => state !== opening));
  /** All of them, one list behind the other. */
  const before = Int32Array.from(entries.flat());
  const firsts = new Int32Array(count + 1);
  entries.forEach((own, state) => (firsts[state + 1] = firsts[state]! + own.length));
  let score = Float64Array.from(states, ({ phone, after }) =>
    after.includes(opening) ? data[phone]! : -Infinity,
  );
  let next = new Float64Array(count);
  const back = new Uint8Array(frames * count);
  for (let frame = 1; frame < frames; frame += 1) {
    const row = frame * phones;
    const backRow = frame * count;
    let i = 0;
    for (let state = 0; state < count; state += 1) {
      let best = score[state]!;
      const first = i;
      for (const end = firsts[state + 1]!; i < end; i += 1) {
        const other = score[before[i]!]!;
        if (other > best) {
          best = other;
          back[backRow + state] = i - first + 1;
        }
      }
      next[state] = best + data[row + columns[state]!]!;
    }
    [score, next] = [next, score];
  }
  return { totals: score, back, frames };
}

function trace(
  states: readonly AlignmentState[],
  { totals, back, frames }: BestPaths,
  last: number,
): readonly StateSpan[] {
  const path: StateSpan[] = [];
  let state = last;
  let end = frames;
  for (let frame = frames - 1; frame > 0; frame -= 1) {
    const from = back[frame * totals.length + state]!;
    if (from === 0) continue;
    path.push({ state, start: frame, end });
    state = states[state]!.after.filter((before) => before !== opening)[from - 1]!;
    end = frame;
  }
  return [...path, { state, start: 0, end }].toReversed();
}
