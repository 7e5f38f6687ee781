// Checks every service that inference depends on: in parallel, with a time limit, cached for a
// moment.
import type { Client } from '@temporalio/client';
import type { Logger } from 'pino';
import { pingDatabase, requireWritableDatabase, type Db } from '../../db/database.ts';
import type { ObjectStore } from '../../db/objects/object-store.ts';
import { requireSchema } from '../../db/role-privileges.ts';
import { inferenceQueue } from '../../workflows/ids.ts';
import { createChangeLog, outcomeOf, type Outcome } from './outcome.ts';
import { requirePollers } from './pollers.ts';
import { createStorageCheck } from './storage-check.ts';

export type CheckName = 'database' | 'object_storage' | 'temporal' | 'workers' | 'models';

/** Found by every API alike: leaving one out for them would leave out all. */
const checksOfInference: readonly string[] = ['workers', 'models'] satisfies CheckName[];

/** All that inference needs, or what an API itself has to reach to serve all else. */
export type Scope = 'inference' | 'api';

/** `ok`, or what is wrong. */
export type Checks = Readonly<Record<CheckName, string>>;

export type Report =
  { readonly missing: string } | { readonly missing: null; readonly checks: Checks };

export interface Readiness {
  /** At most a second old while it is polled, except for what a slow storage said before. */
  check(): Promise<Checks>;
  /** What fails, with reasons, or the checks of which nothing does. */
  report(of: Scope): Promise<Report>;
  /** The process was asked to stop: from now on it is missing itself, and proxies leave it out. */
  leave(): void;
}

export interface ReadinessOptions {
  readonly db: Db;
  readonly objects: ObjectStore;
  readonly client: Client;
  readonly namespace: string;
  readonly taskQueue: string;
  /** Told what fails and why, which answers do not say. */
  readonly logger: Pick<Logger, 'info' | 'warn'>;
}

const checkLimitMs = 2_000;
const memoryMs = 1_000;
/** Interval of thorough checks that succeed; they are repeated every time after a failure. */
const thoroughMs = 4_000;

export function createReadiness(options: ReadinessOptions): Readiness {
  const { db, objects } = options;
  const parts = {
    database: createPartCheck(() => pingDatabase(db), {
      'not migrated': () => requireSchema(db),
      'not writable': () => requireWritableDatabase(db),
    }),
    objectStorage: createStorageCheck(objects, checkLimitMs),
  };
  const tell = createChangeLog(options.logger);
  let latest: { readonly at: number; readonly checks: Promise<Checks> } | null = null;
  let isLeaving = false;
  const noted = (outcomes: Readonly<Record<CheckName, Outcome>>): Checks => {
    tell(outcomes);
    const states = Object.entries(outcomes).map(([name, { state }]) => [name, state]);
    return Object.fromEntries(states) as Checks;
  };
  const check = (): Promise<Checks> => {
    const now = performance.now();
    if (!latest || now - latest.at > memoryMs)
      latest = { at: now, checks: runChecks(options, parts).then(noted) };
    return latest.checks;
  };
  return {
    check,
    async report(of) {
      if (isLeaving) return { missing: 'process (stopping)' };
      const checks = await check();
      const missing = namesOfFailing(checks, of);
      return missing === null ? { missing, checks } : { missing };
    },
    leave() {
      isLeaving = true;
    },
  };
}

/** The failing checks with their reasons; null when all succeed. */
function namesOfFailing(checks: Checks, of: Scope): string | null {
  const failing = Object.entries(checks).filter(
    ([name, state]) => state !== 'ok' && !(of === 'api' && checksOfInference.includes(name)),
  );
  return failing.map(([name, state]) => `${name} (${state})`).join(', ') || null;
}

type PartCheck = () => Promise<Outcome>;

/**
 * Checks whether a service answers and, at longer intervals, whether it can be worked with.
 * @param thorough checks by what is said when they fail
 */
function createPartCheck(
  answers: () => Promise<void>,
  thorough: Readonly<Record<string, () => Promise<void>>>,
): PartCheck {
  let usableUntil = 0;
  return async () => {
    const answered = await outcome(answers());
    if (answered.state !== 'ok' || performance.now() < usableUntil) return answered;
    const names = Object.keys(thorough);
    const outcomes = await Promise.all(names.map((name) => outcome(thorough[name]!())));
    const failing = outcomes.findIndex(({ state }) => state !== 'ok');
    if (failing >= 0) return { ...outcomes[failing]!, state: names[failing]! };
    usableUntil = performance.now() + thoroughMs;
    return answered;
  };
}

async function runChecks(
  { client, namespace, taskQueue }: ReadinessOptions,
  parts: { readonly database: PartCheck; readonly objectStorage: PartCheck },
): Promise<Readonly<Record<CheckName, Outcome>>> {
  const activities = { namespace, type: 'activity' } as const;
  const inference = inferenceQueue(taskQueue);
  const [database, objectStorage, temporal, workers, models] = await Promise.all([
    parts.database(),
    parts.objectStorage(),
    outcome(client.workflowService.describeNamespace({ namespace })),
    outcome(requirePollers(client.workflowService, { ...activities, taskQueue })),
    // Workers poll the inference queue only once every model is loaded and verified.
    outcome(requirePollers(client.workflowService, { ...activities, taskQueue: inference })),
  ]);
  return { database, object_storage: objectStorage, temporal, workers, models };
}

function outcome(check: Promise<unknown>): Promise<Outcome> {
  return outcomeOf(check, checkLimitMs);
}
