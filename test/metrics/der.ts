// Diarization error rate (NIST 2009) and Jaccard error rate (DIHARD 2019) on a grid of 10 ms.

export interface Turn {
  readonly speaker: string;
  /** Seconds. */
  readonly start: number;
  readonly end: number;
}

/** In frames of 10 ms, summed over speakers. */
export interface DiarizationErrors {
  readonly missed: number;
  readonly falseAlarm: number;
  readonly confused: number;
  readonly speech: number;
  /** Mean over reference speakers, 0-1; without a collar. */
  readonly jaccard: number;
}

const framesPerSecond = 100;

/**
 * Errors under the best one-to-one mapping of speakers.
 * @param collarSeconds left out on each side of every boundary of the reference
 */
export function diarizationErrors(
  reference: readonly Turn[],
  hypothesis: readonly Turn[],
  { durationSeconds, collarSeconds }: { durationSeconds: number; collarSeconds: number },
): DiarizationErrors {
  const frames = Math.floor(durationSeconds * framesPerSecond);
  const truth = masks(reference, frames);
  const found = masks(hypothesis, frames);
  const scored = scoredFrames(reference, frames, collarSeconds);
  const mapping = bestMapping(truth, found);
  const totals = { missed: 0, falseAlarm: 0, confused: 0, speech: 0 };
  for (let frame = 0; frame < frames; frame += 1) {
    if (!scored[frame]) continue;
    const inTruth = truth.filter((mask) => mask[frame]).length;
    const inFound = found.filter((mask) => mask[frame]).length;
    const right = truth.filter((mask, i) => mask[frame] && found[mapping[i]!]?.[frame]).length;
    totals.speech += inTruth;
    totals.missed += Math.max(0, inTruth - inFound);
    totals.falseAlarm += Math.max(0, inFound - inTruth);
    totals.confused += Math.min(inTruth, inFound) - right;
  }
  return { ...totals, jaccard: jaccardError(truth, found, mapping) };
}

/** Errors per frame of speech over a whole set. */
export function diarizationErrorRate(all: readonly DiarizationErrors[]): number {
  const sum = (pick: (errors: DiarizationErrors) => number): number =>
    all.reduce((total, errors) => total + pick(errors), 0);
  return (
    sum((e) => e.missed + e.falseAlarm + e.confused) /
    Math.max(
      1,
      sum((e) => e.speech),
    )
  );
}

function masks(turns: readonly Turn[], frames: number): readonly Uint8Array[] {
  const speakers = [...new Set(turns.map((turn) => turn.speaker))];
  return speakers.map((speaker) => {
    const mask = new Uint8Array(frames);
    for (const turn of turns.filter((candidate) => candidate.speaker === speaker)) {
      mask.fill(
        1,
        Math.round(turn.start * framesPerSecond),
        Math.round(turn.end * framesPerSecond),
      );
    }
    return mask;
  });
}

function scoredFrames(turns: readonly Turn[], frames: number, collarSeconds: number): Uint8Array {
  const scored = new Uint8Array(frames).fill(1);
  if (collarSeconds === 0) return scored;
  for (const boundary of turns.flatMap(({ start, end }) => [start, end])) {
    const from = Math.max(0, Math.floor((boundary - collarSeconds) * framesPerSecond));
    scored.fill(0, from, Math.floor((boundary + collarSeconds) * framesPerSecond));
  }
  return scored;
}

/**
 * The index of the hypothesis speaker of each reference speaker, -1 for none: exhaustive search
 * over memoized subsets.
 */
function bestMapping(
  truth: readonly Uint8Array[],
  found: readonly Uint8Array[],
): readonly number[] {
  const shared = truth.map((a) => found.map((b) => a.reduce((n, v, i) => n + (v & b[i]!), 0)));
  const memory = new Map<string, { frames: number; mapping: readonly number[] }>();
  const solve = (i: number, used: number): { frames: number; mapping: readonly number[] } => {
    if (i === truth.length) return { frames: 0, mapping: [] };
    const key = `${i} ${used}`;
    const known = memory.get(key);
    if (known) return known;
    let best = { ...solve(i + 1, used) };
    best = { frames: best.frames, mapping: [-1, ...best.mapping] };
    for (let j = 0; j < found.length; j += 1) {
      if (used & (1 << j)) continue;
      const rest = solve(i + 1, used | (1 << j));
      const frames = rest.frames + shared[i]![j]!;
      if (frames > best.frames) best = { frames, mapping: [j, ...rest.mapping] };
    }
    memory.set(key, best);
    return best;
  };
  return solve(0, 0).mapping;
}

function jaccardError(
  truth: readonly Uint8Array[],
  found: readonly Uint8Array[],
  mapping: readonly number[],
): number {
  const errors = truth.map((mask, i) => {
    const other = found[mapping[i]!];
    let union = 0;
    let both = 0;
    mask.forEach((value, frame) => {
      const second = other?.[frame] ?? 0;
      union += value | second;
      both += value & second;
    });
    return 1 - both / Math.max(1, union);
  });
  return errors.reduce((sum, error) => sum + error, 0) / Math.max(1, errors.length);
}
