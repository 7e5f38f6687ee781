// Preloaded into the API of a run: it tells when it is asked how late its event loop has been.
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';

/** How much later than they were due timers ran, since it was asked last. */
export interface LoopGaps {
  readonly p999Ms: number;
  readonly worstMs: number;
}

const question = 'loop gaps';
const resolutionMs = 1;
const nanosecondsPerMs = 1e6;

export const loopGapsEnvironment = { NODE_OPTIONS: `--import ${import.meta.url}` } as const;

/** @param child a process that was started with the environment above, and with a channel */
export async function askLoopGaps(child: ChildProcess): Promise<LoopGaps> {
  const answer = once(child, 'message');
  child.send(question);
  const [gaps] = await answer;
  return gaps as LoopGaps;
}

if (isMainThread && process.send && process.env.NODE_OPTIONS?.includes(import.meta.url)) {
  const delays = monitorEventLoopDelay({ resolution: resolutionMs });
  delays.enable();
  const lateMs = (nanoseconds: number): number =>
    Math.max(0, nanoseconds / nanosecondsPerMs - resolutionMs);
  process.on('message', (asked) => {
    if (asked !== question) return;
    process.send?.({ p999Ms: lateMs(delays.percentile(99.9)), worstMs: lateMs(delays.max) });
    delays.reset();
  });
}
