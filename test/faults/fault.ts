// What a fault of the suite is, and the course that most of them take.
import { setTimeout as sleep } from 'node:timers/promises';
import type { ChildProcess } from 'node:child_process';
import type { TestServices } from '../runner/services.ts';
import { collectCleanup, type Cleanup } from '../support/cleanup.ts';
import { anAccount } from '../support/database.ts';
import { createRandom, type Random } from '../support/random.ts';
import { testStack, untilReady, type ApiProcess, type TestStack } from '../support/stack.ts';
import type { StackOptions } from '../support/stack-options.ts';
import type { ServerPorts } from '../support/environment.ts';
import { loadRecordings, startLoad, type LoadOptions, type Recording } from './clients.ts';
import { crossTenantLeaks } from './tenant-isolation.ts';
import { countAnswers, createHistory, type History } from './history.ts';
import { judge, untilQuiet } from './invariants.ts';
import { grownBeyond, heldBy, memoryOf } from './orphans.ts';
import { watchReadiness, type ReadinessWatch } from './readiness-watch.ts';

export interface FaultOptions {
  readonly services: TestServices;
  readonly seed: number;
  /** The version to upgrade from; null selects the latest one. */
  readonly previous: string | null;
}

export interface FaultOutcome {
  /** In words, for the line of the report. */
  readonly figures: readonly string[];
  /** The invariants that do not hold. */
  readonly broken: readonly string[];
}

/** What a nemesis works on. */
export interface Disturbed extends Pick<FaultOptions, 'services' | 'seed'> {
  readonly stack: TestStack;
  readonly api: ApiProcess;
  readonly worker: ChildProcess;
  readonly history: History;
  readonly readiness: ReadinessWatch;
  readonly recordings: readonly Recording[];
  readonly random: Random;
}

export interface DisturbedCourse {
  /** Routes the processes' connections to the servers through the nemesis's proxies. */
  readonly ports?: ServerPorts;
  readonly stack?: StackOptions;
  readonly load?: Partial<Pick<LoadOptions, 'clients' | 'pauseMs'>>;
  /** Starts the fault and ends it, while the load runs. */
  readonly nemesis: (disturbed: Disturbed) => Promise<FaultOutcome>;
  /** From the end of the nemesis to the end of the last request. */
  readonly quietMs: number;
}

const baselineMs = 4_000;
const baselineAnswers = 6;
const maxBaselineMs = 120_000;
const clients = 3;
const pauseMs = 300;

/** Undisturbed calls first, then load and nemesis, then no load; then all stores are checked. */
export async function disturb(
  { services, seed }: FaultOptions,
  open: (t: Cleanup) => Promise<DisturbedCourse>,
): Promise<FaultOutcome> {
  const cleanup = collectCleanup();
  try {
    const course = await open(cleanup);
    const stack = await testStack(cleanup, {
      patient: false,
      worker: false,
      allowanceSeconds: 3_600_000,
      ...course.stack,
      ...(course.ports && { ports: course.ports }),
    });
    const worker = await stack.startWorker();
    const api = await stack.startApi();
    await untilReady(api);
    const history = createHistory();
    const recordings = await loadRecordings();
    const load = startLoad({
      bases: () => [api.base],
      key: stack.account.key,
      ...{ history, recordings, seed, clients, pauseMs, ...course.load },
    });
    const readiness = watchReadiness(() => api.base, history);
    await baseline(history);
    const before = { api: heldBy(api.child), worker: heldBy(worker) };
    const random = createRandom(seed);
    const disturbed = { services, seed, stack, api, worker, history, readiness, recordings };
    const { figures, broken } = await course.nemesis({ ...disturbed, random });
    await Promise.all([load.stop(), readiness.stop()]);
    const dead = [...died('API', api.child), ...died('worker', worker)];
    if (dead.length > 0) return { figures, broken: [...dead, ...broken] };
    const quiet = await untilQuiet(stack, course.quietMs * history.slowness());
    const waits = waitingTimes(history);
    const found = [
      ...broken,
      ...waits.broken,
      ...(quiet ? [] : [`requests are open ${course.quietMs / 1_000} s after the fault`]),
      ...(await judge(stack, { history, sent: load.sent })),
    ];
    const after = { api: heldBy(api.child), worker: heldBy(worker) };
    if (found.length === 0) {
      found.push(...grownBeyond('API', before.api, after.api));
      found.push(...grownBeyond('worker', before.worker, after.worker));
    }
    const memory = [
      memoryOf('API', before.api, after.api),
      memoryOf('worker', before.worker, after.worker),
    ].join('; ');
    // Last, because decoders are kept per organization.
    found.push(...(await findCrossTenantLeaks(stack, api, recordings[0]!)));
    const counts = countAnswers(history.operations);
    const pace = `limits of time x ${history.slowness().toFixed(1)}`;
    return { figures: [counts, pace, ...waits.figures, memory, ...figures], broken: found };
  } finally {
    await cleanup.finish();
  }
}

/** Undisturbed for a while, and until enough was answered to tell the machine's pace. */
export async function baseline(history: History): Promise<void> {
  await sleep(baselineMs);
  const answered = (): number => history.operations.filter((o) => o.outcome === 'ok').length;
  while (answered() < baselineAnswers && history.now() < maxBaselineMs) await sleep(200);
  history.endBaseline();
}

async function findCrossTenantLeaks(
  { db, account }: TestStack,
  { base }: ApiProcess,
  recording: Recording,
): Promise<readonly string[]> {
  const otherAccount = await anAccount(db);
  return crossTenantLeaks({ base, account, otherAccount, recording });
}

function died(name: string, { exitCode, signalCode }: ChildProcess): readonly string[] {
  if (exitCode === null && signalCode === null) return [];
  return [`the ${name} did not survive (${signalCode ?? `exit code ${exitCode}`})`];
}

/** The recovery time: seconds until the first answered call that began after the given time. */
export async function recovery(
  { history, readiness }: Pick<Disturbed, 'history' | 'readiness'>,
  { name, limitSeconds: idleSeconds }: { readonly name: string; readonly limitSeconds: number },
): Promise<FaultOutcome> {
  const at = history.now();
  const ready = readiness.until(/^ready$/, idleSeconds * 1_000);
  const limitSeconds = idleSeconds * history.slowness();
  const answered = async (): Promise<number | null> => {
    while (history.now() - at < limitSeconds * 1_000) {
      const first = history.operations.find(({ t0, outcome }) => t0 >= at && outcome === 'ok');
      if (first) return (first.t1 - at) / 1_000;
      await sleep(100);
    }
    return null;
  };
  const [seconds, isReady] = await Promise.all([answered(), ready]);
  const green = readiness.changes.findLast(({ state }) => state === 'ready');
  const greenSeconds = Math.max(0, ((green?.at ?? at) - at) / 1_000).toFixed(1);
  if (seconds === null || !isReady) {
    const last = readiness.changes.at(-1)?.state;
    const seconds = limitSeconds.toFixed(0);
    return { figures: [], broken: [`${name}: not back after ${seconds} s (${last})`] };
  }
  const times = `first answer after ${seconds.toFixed(1)} s, ready after ${greenSeconds} s`;
  const figure = `${name}: ${times}`;
  return { figures: [figure], broken: [] };
}

/**
 * Whatever is down, rejections arrive within this limit (two dependencies that are waited for in
 * turn, half a minute each), and results within the other one.
 */
const longestSeconds = { rejection: 60, result: 100 };

/** Calls that exceeded the limits, and the longest wait. */
export function waitingTimes({ operations, slowness }: History): FaultOutcome {
  const longest = { rejection: 0, result: 0 };
  const broken: string[] = [];
  for (const { id, t0, t1, outcome, answer } of operations) {
    const kind = outcome === 'ok' ? 'result' : 'rejection';
    const took = (t1 - t0) / 1_000;
    longest[kind] = Math.max(longest[kind], took);
    if (took <= longestSeconds[kind] * slowness()) continue;
    const sentAt = (t0 / 1_000).toFixed(1);
    broken.push(`${id} waited ${took.toFixed(1)} s for "${answer}" (sent at ${sentAt} s)`);
  }
  const { rejection, result } = longest;
  const waits = [result, rejection].map((seconds) => `${seconds.toFixed(1)} s`);
  const figure = `longest wait ${waits[0]} for a result, ${waits[1]} for none`;
  return { figures: [figure], broken };
}

/**
 * Until every call that began before has its answer, or is past the longest wait: a call that met
 * two outages in a row would have waited for both, and no limit says how many there may be.
 */
export async function rest(history: History): Promise<void> {
  const at = history.now();
  const end = at + longestSeconds.result * 1_000 * history.slowness();
  while ((history.oldestOpen() ?? at) < at && history.now() < end) await sleep(100);
}

/** Joins the findings of the steps of a nemesis. */
export function together(outcomes: readonly FaultOutcome[]): FaultOutcome {
  return {
    figures: outcomes.flatMap(({ figures }) => figures),
    broken: outcomes.flatMap(({ broken }) => broken),
  };
}
