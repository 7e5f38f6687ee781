// Hysteresis: runs of hops with a high probability, and bridging of short gaps.

/** Hops, end exclusive. */
export interface HopRun {
  readonly startHop: number;
  readonly endHop: number;
}

export interface Hysteresis {
  /** A run opens at this probability ... */
  readonly on: number;
  /** ... and closes below this one. */
  readonly off: number;
}

/** Runs in order, disjoint. */
export function activeRuns(
  hops: number,
  probability: (hop: number) => number,
  { on, off }: Hysteresis,
): HopRun[] {
  const runs: HopRun[] = [];
  let startHop = -1;
  for (let hop = 0; hop < hops; hop += 1) {
    const value = probability(hop);
    if (startHop < 0 && value >= on) startHop = hop;
    else if (startHop >= 0 && value < off) {
      runs.push({ startHop, endHop: hop });
      startHop = -1;
    }
  }
  if (startHop >= 0) runs.push({ startHop, endHop: hops });
  return runs;
}

/**
 * Joins runs with fewer than `gapHops` between them, while the joined run has at most `maxHops`.
 */
export function bridgeGaps(runs: readonly HopRun[], gapHops: number, maxHops = Infinity): HopRun[] {
  const bridged: HopRun[] = [];
  for (const run of runs) {
    const last = bridged.at(-1);
    const isNear = last && run.startHop - last.endHop < gapHops;
    if (isNear && run.endHop - last.startHop <= maxHops) {
      bridged[bridged.length - 1] = { startHop: last.startHop, endHop: run.endHop };
    } else bridged.push(run);
  }
  return bridged;
}
