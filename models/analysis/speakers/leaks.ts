// Which hops of a channel are a leak of another one, from windows that are known to hold it; pure.
import { hopSeconds } from '../../vad/hops.ts';
import { speechThresholds } from '../../vad/speech-regions.ts';
import { loudestAbout } from './channel-samples.ts';

/** A window of a channel that holds another one. */
export interface Leak {
  readonly hop: number;
  readonly other: number;
  readonly delayHops: number;
  /** Of powers. */
  readonly gain: number;
}

/** What is louder than the leak by so much is said on the channel itself. */
const ownGain = 10 ** (5 / 10);
/** A leak is that much quieter than what it is a leak of, all the time. */
const maxShare = 0.4;
/** How far the evidence of a window reaches. */
const reachHops = Math.round(10 / hopSeconds);
const nearestWindows = 5;
/** So little between own speech is a part of it, and so little within a leak is none. */
const maxGapHops = 9;
const minOwnHops = 4;

export interface LeakingChannel {
  readonly channel: number;
  /** Mean squares of each channel's hops. */
  readonly powers: readonly Float32Array[];
  /** In order of their hops; at least one. */
  readonly leaks: readonly Leak[];
}

/** @returns speech probabilities with 0 where a channel holds no speech but another one's */
export function withoutLeaks(probabilities: Float32Array, leaking: LeakingChannel): Float32Array {
  const isHeard = Array.from(probabilities, (each) => each >= speechThresholds.off);
  const isOwn = isHeard.map((heard, at) => heard && !isLeakAt(at, leaking));
  const kept = probabilities.slice();
  for (let start = 0; start < kept.length;) {
    let end = start + 1;
    while (end < kept.length && isHeard[end] === isHeard[start]) end += 1;
    if (isHeard[start]) {
      const own = isOwn.slice(start, end);
      flipShort(own, { value: true, least: minOwnHops });
      if (own.includes(true)) flipShort(own, { value: false, least: maxGapHops });
      own.forEach((each, i) => {
        if (!each) kept[start + i] = 0;
      });
    }
    start = end;
  }
  return kept;
}

/** Runs of a value with fewer hops become the other one. */
function flipShort(
  flags: boolean[],
  { value, least }: { readonly value: boolean; readonly least: number },
): void {
  for (let start = 0; start < flags.length;) {
    let end = start + 1;
    while (end < flags.length && flags[end] === flags[start]) end += 1;
    if (flags[start] === value && end - start < least) flags.fill(!value, start, end);
    start = end;
  }
}

function isLeakAt(at: number, { channel, powers, leaks }: LeakingChannel): boolean {
  const near = nearestLeaks(leaks, at);
  const [first] = near;
  if (!first) return false;
  const gains = near.map(({ gain }) => gain).toSorted((a, b) => a - b);
  const sent = powers[first.other]!;
  const since = at - first.delayHops;
  const loudest = loudestAbout(sent, since);
  const most = Math.min(maxShare, ownGain * gains[gains.length >> 1]!);
  return powers[channel]![at]! <= most * loudest;
}

/** Those within reach, nearest first. */
function nearestLeaks(leaks: readonly Leak[], at: number): readonly Leak[] {
  let [low, high] = [0, leaks.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (leaks[middle]!.hop < at) low = middle + 1;
    else high = middle;
  }
  const distance = ({ hop }: Leak): number => Math.abs(hop - at);
  return leaks
    .slice(Math.max(0, low - nearestWindows), low + nearestWindows)
    .filter((leak) => distance(leak) <= reachHops)
    .toSorted((a, b) => distance(a) - distance(b))
    .slice(0, nearestWindows);
}
