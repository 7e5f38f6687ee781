// A count of speakers that was asked for is the count that is answered; pure.
import type { Moment } from './speaker-path.ts';

/** What a speaker gets who has nothing: 0.8 s, or half of a shorter run. */
const claimedMoments = 8;
/** Fewer moments may be no turn: the last one of a stretch can be shorter than a turn has to be. */
const minMoments = 2;

/** Moments `[from, to)` of one stretch and one speaker. */
interface Run {
  readonly from: number;
  readonly to: number;
}

/**
 * The path with a part for each of the speakers: the best path leaves out a voice that is hardly
 * ever the likeliest. Who has nothing gets the moments of the long runs that fit them best.
 * @returns the same path when there is too little speech to share
 */
export function giveEachSpeakerAPart(
  path: Int32Array,
  moments: readonly Moment[],
  speakers: number,
): Int32Array {
  const shared = path.slice();
  const parts = runsOf(path, moments).filter((run) => lengthOf(run) >= minMoments);
  const heard = new Set(parts.map(({ from }) => path[from]!));
  for (let speaker = 0; speaker < speakers; speaker += 1) {
    if (!heard.has(speaker)) claimPart(shared, moments, speaker);
  }
  return shared;
}

function claimPart(path: Int32Array, moments: readonly Moment[], speaker: number): void {
  const runs = runsOf(path, moments);
  const longest = Math.max(0, ...runs.map(lengthOf));
  if (longest < 2 * minMoments) return;
  // The edges of speech fit nobody, and the voice detector may hear nobody there.
  const enough = Math.max(longest / 2, 2 * minMoments);
  const candidates = runs.filter((run) => lengthOf(run) >= enough);
  let best = { run: candidates[0]!, at: candidates[0]!.from, gain: -Infinity };
  for (const run of candidates) {
    for (let at = run.from; at < run.to; at += 1) {
      const { likeness } = moments[at]!;
      // A speaker beyond the voices that were found has no likeness: the least fitting moment.
      const gain = (likeness[speaker] ?? 0) - likeness[path[at]!]!;
      if (gain > best.gain) best = { run, at, gain };
    }
  }
  const { run, at } = best;
  const size = Math.max(minMoments, Math.min(claimedMoments, Math.floor(lengthOf(run) / 2)));
  const from = startWithin(run, size, at - Math.floor(size / 2));
  path.fill(speaker, from, from + size);
}

/** Near `wanted`, and leaving on each side nothing or a part: a sliver would be nobody's turn. */
function startWithin({ from, to }: Run, size: number, wanted: number): number {
  if (wanted < from + minMoments) return from;
  return wanted > to - size - minMoments ? to - size : wanted;
}

function runsOf(path: Int32Array, moments: readonly Moment[]): readonly Run[] {
  const runs: { from: number; to: number }[] = [];
  path.forEach((speaker, at) => {
    const last = runs.at(-1);
    const before = last && moments[last.to - 1]!;
    const same = last && path[last.to - 1] === speaker;
    if (same && before!.stretch === moments[at]!.stretch) last.to = at + 1;
    else runs.push({ from: at, to: at + 1 });
  });
  return runs;
}

function lengthOf({ from, to }: Run): number {
  return to - from;
}
