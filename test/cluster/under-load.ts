// The course of most checks of the cluster: calls through the proxy while something is done to a
// machine, then no calls, and then every store is compared with what the callers saw.
import { setTimeout as sleep } from 'node:timers/promises';
import { loadRecordings, startLoad, type Recording } from '../faults/clients.ts';
import { baseline, waitingTimes, type FaultOutcome } from '../faults/fault.ts';
import { countAnswers, createHistory, type History } from '../faults/history.ts';
import { judge, untilQuiet, type Judged } from '../faults/invariants.ts';
import { call, readResults, startBatch, untilBatch, uploadFile } from '../support/batches.ts';
import { anAccount, type TestAccount } from '../support/database.ts';
import { speech, toWav } from '../support/speech.ts';
import type { Cluster } from './cluster.ts';
import type { RoleName } from './roles.ts';

export interface CheckOptions {
  readonly cluster: Cluster;
  readonly seed: number;
  /** The version that runs when the check begins; null: this one. */
  readonly previous: string | null;
}

export interface Loaded {
  readonly cluster: Cluster;
  readonly history: History;
  readonly account: TestAccount;
  /** Through the proxy. */
  readonly service: { readonly base: string; readonly account: TestAccount };
}

interface Course extends Pick<Judged, 'versions'> {
  readonly during: (loaded: Loaded) => Promise<FaultOutcome>;
  /** After the last call, before the stores are read: what it stored it deletes. */
  readonly afterwards?: (loaded: Loaded) => Promise<FaultOutcome>;
}

/** More than any check uses. */
export const allowanceSeconds = 3_600_000;
const quietMs = 90_000;
/** Half of what two half cores can take, so that one of them is enough for a while. */
const load = { clients: 1, pauseMs: 1_500 };
let recordings: Promise<readonly Recording[]> | null = null;

export async function underLoad(
  { cluster, seed }: CheckOptions,
  { during, afterwards, versions }: Course,
): Promise<FaultOutcome> {
  const account = await anAccount(cluster.db, { allowanceSeconds });
  const history = createHistory();
  recordings ??= loadRecordings();
  const running = startLoad({
    bases: () => [cluster.base],
    ...{ key: account.key, history, recordings: await recordings, seed, ...load },
  });
  const loaded = { cluster, history, account, service: { base: cluster.base, account } };
  await baseline(history);
  const found = await during(loaded);
  await running.stop();
  const after = await afterwards?.(loaded);
  const quiet = await untilQuiet(cluster, quietMs * history.slowness());
  const waits = waitingTimes(history);
  const judged = await judge(
    { ...cluster, account },
    { history, sent: running.sent, ...(versions && { versions }) },
  );
  return {
    figures: [
      countAnswers(history.operations),
      ...waits.figures,
      ...found.figures,
      ...(after?.figures ?? []),
    ],
    broken: [
      ...found.broken,
      ...(after?.broken ?? []),
      ...waits.broken,
      ...(quiet ? [] : [`requests are open ${quietMs / 1_000} s after the last call`]),
      ...judged,
    ],
  };
}

export interface OpenBatch {
  /** Waits for its end, and deletes it with its file. @returns how it ended */
  end(): Promise<FaultOutcome>;
}

/** A batch of calls of ten seconds, of an organization of its own. */
export async function openBatch(cluster: Cluster, items: number): Promise<OpenBatch> {
  const account = await anAccount(cluster.db, { allowanceSeconds });
  const service = { base: cluster.base, account };
  const file = await uploadFile(service, await tenSeconds());
  const { id } = await startBatch(service, Array<string>(items).fill(file));
  return {
    async end() {
      const { status, request_counts: counts } = await untilBatch(service, id);
      const results = await readResults(service, id);
      for (const path of [`/v1/batches/${id}`, `/v1/files/${file}`]) {
        await call(service, path, { method: 'DELETE' });
      }
      const isWhole =
        status === 'completed' && counts.completed === items && results.length === items;
      const ended = `batch ${status}: ${counts.completed} of ${items}, ${results.length} results`;
      return { figures: [ended], broken: isWhole ? [] : [ended] };
    },
  };
}

let spoken: Promise<Buffer> | null = null;

export function tenSeconds(): Promise<Buffer> {
  spoken ??= speech(
    'Please hold the line while we look for somebody who can help. '.repeat(3),
  ).then(toWav);
  return spoken;
}

/** Calls with a result that began and ended in a time, as proof that callers were served. */
export function answeredBetween({ operations }: History, from: number, to: number): number {
  return operations.filter(({ t0, t1, outcome }) => outcome === 'ok' && t0 >= from && t1 <= to)
    .length;
}

/** Waits until each is ready. @returns what took how long */
export async function untilAllReady(
  { cluster, history }: Loaded,
  names: readonly RoleName[],
  limitSeconds: number,
): Promise<FaultOutcome> {
  const began = history.now();
  const limit = limitSeconds * history.slowness();
  const times = await Promise.all(
    names.map(async (name) => {
      for (;;) {
        const isReady = await cluster.isReady(name);
        const seconds = (history.now() - began) / 1_000;
        if (isReady || seconds > limit) return { name, isReady, seconds };
        await sleep(200);
      }
    }),
  );
  return {
    figures: [times.map(({ name, seconds }) => `${name} ${seconds.toFixed(1)} s`).join(', ')],
    broken: times
      .filter(({ isReady }) => !isReady)
      .map(({ name, seconds }) => `${name} is not ready after ${seconds.toFixed(0)} s`),
  };
}
