// Reserves part of the speaker path for each speaker when a request gives their number. Pure.
import type { PathFrame } from './speaker-path.ts';

/** Length given to a speaker without frames: 0.8 s, or half of a shorter run. */
const claimedFrames = 8;
/**
 * Fewer frames might not make a turn, because the last frame of a segment can be shorter than the
 * shortest turn.
 */
const minFrames = 2;

/** Frames `[from, to)` of one segment and one speaker. */
interface Run {
  readonly from: number;
  readonly to: number;
}

/**
 * Ensures that every speaker has a part of the path, since the best path omits a voice that is
 * hardly ever the most likely one. Such a speaker gets the frames of long runs that fit it best.
 * @returns the same path when there is too little speech to share
 */
export function ensureEverySpeaker(
  path: Int32Array,
  frames: readonly PathFrame[],
  speakers: number,
): Int32Array {
  const shared = path.slice();
  const parts = runsOf(path, frames).filter((run) => lengthOf(run) >= minFrames);
  const present = new Set(parts.map(({ from }) => path[from]!));
  for (let speaker = 0; speaker < speakers; speaker += 1) {
    if (!present.has(speaker)) claimPart(shared, frames, speaker);
  }
  return shared;
}

function claimPart(path: Int32Array, frames: readonly PathFrame[], speaker: number): void {
  const runs = runsOf(path, frames);
  const longest = Math.max(0, ...runs.map(lengthOf));
  if (longest < 2 * minFrames) return;
  // The edges of speech fit no speaker well, and voice activity may not confirm them.
  const enough = Math.max(longest / 2, 2 * minFrames);
  const candidates = runs.filter((run) => lengthOf(run) >= enough);
  let best = { run: candidates[0]!, at: candidates[0]!.from, gain: -Infinity };
  for (const run of candidates) {
    for (let at = run.from; at < run.to; at += 1) {
      const { similarities } = frames[at]!;
      // A speaker beyond the clusters found has no similarity and takes the frames with the worst
      // fit.
      const gain = (similarities[speaker] ?? 0) - similarities[path[at]!]!;
      if (gain > best.gain) best = { run, at, gain };
    }
  }
  const { run, at } = best;
  const size = Math.max(minFrames, Math.min(claimedFrames, Math.floor(lengthOf(run) / 2)));
  const from = startWithin(run, size, at - Math.floor(size / 2));
  path.fill(speaker, from, from + size);
}

/**
 * A position near `wanted` that leaves either nothing or a whole part on each side, because a
 * shorter rest would not make a turn.
 */
function startWithin({ from, to }: Run, size: number, wanted: number): number {
  if (wanted < from + minFrames) return from;
  return wanted > to - size - minFrames ? to - size : wanted;
}

function runsOf(path: Int32Array, frames: readonly PathFrame[]): readonly Run[] {
  const runs: { from: number; to: number }[] = [];
  path.forEach((speaker, at) => {
    const last = runs.at(-1);
    const previous = last && frames[last.to - 1]!;
    const same = last && path[last.to - 1] === speaker;
    if (same && previous!.segment === frames[at]!.segment) last.to = at + 1;
    else runs.push({ from: at, to: at + 1 });
  });
  return runs;
}

function lengthOf({ from, to }: Run): number {
  return to - from;
}
