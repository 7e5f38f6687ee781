// Clients whose waiting times are measured: one call after another, each client at its own pace.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Recording } from './clients.ts';
import type { History } from './history.ts';
import { sendRecorded } from './send.ts';

export interface MeasureOptions {
  readonly base: string;
  readonly key: string;
  readonly recording: Recording;
  readonly history: History;
  readonly sent: Map<string, Recording>;
  readonly forMs: number;
  readonly pauseMs: number;
}

export interface Measured {
  /** Of the calls that were answered, in milliseconds, shortest first. */
  readonly times: readonly number[];
  readonly p50Ms: number;
  readonly p95Ms: number;
  readonly answered: number;
  readonly failed: readonly string[];
}

/** Waiting times of the calls that were answered, one call at a time. */
export async function measure(options: MeasureOptions): Promise<Measured> {
  const { base, key, recording, history, sent } = options;
  const end = performance.now() + options.forMs;
  const times: number[] = [];
  const failed: string[] = [];
  while (performance.now() < end) {
    const id = randomUUID();
    sent.set(id, recording);
    const { file, model } = recording;
    const { operation } = await sendRecorded(base, { key, id, file, model }, history);
    if (operation.outcome === 'ok') times.push(operation.t1 - operation.t0);
    else failed.push(operation.answer);
    await sleep(options.pauseMs);
  }
  return measured(times, failed);
}

export function measured(answered: readonly number[], failed: readonly string[]): Measured {
  const times = answered.toSorted((a, b) => a - b);
  const quantile = (share: number) => times[Math.floor(share * (times.length - 1))] ?? Infinity;
  const [p50Ms, p95Ms] = [quantile(0.5), quantile(0.95)];
  return { times, p50Ms, p95Ms, answered: times.length, failed };
}
