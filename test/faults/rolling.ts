// The previous version serves; the new one migrates the database, starts beside it and takes over.
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { Client, Connection } from '@temporalio/client';
import type { createKey } from '../../db/api-keys.ts';
import { openDatabase, type Db } from '../../db/database.ts';
import { prepareDatabase } from '../../db/migrate.ts';
import type { createOrganization } from '../../db/organizations.ts';
import { collectCleanup, type Cleanup } from '../support/cleanup.ts';
import { emptyDatabase, type TestAccount } from '../support/database.ts';
import { testServers } from '../support/environment.ts';
import { testObjectStore } from '../support/object-store.ts';
import { createProcesses, type Processes } from '../support/processes.ts';
import { untilReady } from '../support/stack.ts';
import { loadRecordings, startLoad } from './clients.ts';
import type { FaultOptions, FaultOutcome } from './fault.ts';
import { countAnswers, createHistory, linesOf } from './history.ts';
import { judge, untilQuiet, type Checked } from './invariants.ts';
import { checkOutPrevious } from './previous-version.ts';
import { replay } from './temporal.ts';

const stepMs = 6_000;
/** A load balancer removes a process before that process receives SIGTERM. */
const deregisterMs = 500;
const drainLimitMs = 40_000;
const clients = 4;

export async function rolling({ seed, previous }: FaultOptions): Promise<FaultOutcome> {
  const cleanup = collectCleanup();
  try {
    const before = checkOutPrevious(cleanup, previous);
    if (!before) {
      return { figures: ['skipped: git has no version before this one here'], broken: [] };
    }
    const { root, name } = before;
    const { stack, old, fresh, url, ownerUrl } = await twoVersions(cleanup, root);
    const oldWorker = old.startWorker();
    const oldApi = await old.startApi();
    let bases = [`http://127.0.0.1:${oldApi.port}`];
    await untilReady({ base: bases[0]! });
    const history = createHistory();
    const recordings = await loadRecordings();
    const { key } = stack.account;
    const load = startLoad({
      bases: () => bases,
      ...{ key, history, recordings, seed, clients, pauseMs: 200 },
    });
    await sleep(stepMs);
    const migratedAt = history.now();
    await prepareDatabase(url, ownerUrl);
    await sleep(stepMs);
    fresh.startWorker();
    const newApi = await fresh.startApi();
    const newBase = `http://127.0.0.1:${newApi.port}`;
    await untilReady({ base: newBase });
    bases = [...bases, newBase];
    await sleep(stepMs);
    bases = [newBase];
    await sleep(deregisterMs);
    const requestedAt = history.now();
    const gone = Promise.all([once(oldWorker, 'exit'), once(oldApi.child, 'exit')]);
    oldWorker.kill('SIGTERM');
    oldApi.child.kill('SIGTERM');
    const ended = await Promise.race([gone.then(() => true), sleep(drainLimitMs, false)]);
    const drainSeconds = ((history.now() - requestedAt) / 1_000).toFixed(1);
    await sleep(stepMs);
    await load.stop();
    const quiet = await untilQuiet(stack, 60_000);
    const failed = history.operations.filter(({ answer }) => answer !== '200');
    const replayed = await replay(stack);
    const onOld = history.operations.filter(({ t0 }) => t0 > migratedAt && t0 < requestedAt).length;
    const broken = [
      ...(ended ? [] : [`the version before did not end within ${drainLimitMs / 1_000} s`]),
      ...failed.flatMap(({ id }) => [`${id} failed`, ...linesOf(history.operations, id)]),
      ...(quiet ? [] : ['requests are open after it']),
      ...replayed.broken,
      ...(await judge(stack, { history, sent: load.sent, versions: 'two' })),
    ];
    const figures = [
      `from ${name}: ${countAnswers(history.operations)}`,
      `${onOld} calls between migration and the end of the version before, which took ` +
        `${drainSeconds} s`,
      ...replayed.figures,
    ];
    return { figures, broken };
  } finally {
    await cleanup.finish();
  }
}

interface TwoVersions {
  readonly url: string;
  readonly ownerUrl: string;
  readonly stack: Checked;
  readonly old: Processes;
  readonly fresh: Processes;
}

/** The functions of the other version's modules that are called. */
interface Theirs {
  readonly migrateToLatest?: (db: Db) => Promise<void>;
  readonly prepareDatabase?: typeof prepareDatabase;
  readonly createOrganization: typeof createOrganization;
  readonly createKey: typeof createKey;
}

async function twoVersions(t: Cleanup, root: string): Promise<TwoVersions> {
  const theirs = async (path: string): Promise<Theirs> =>
    (await import(pathToFileURL(join(root, path)).href)) as Theirs;
  const { url, ownerUrl } = await emptyDatabase(t);
  const { migrateToLatest, prepareDatabase: prepareAsBefore } = await theirs('db/migrate.ts');
  const owner = openDatabase(ownerUrl);
  t.teardown(() => owner.destroy());
  // Before there was a role for the service, its processes had the owner's.
  if (prepareAsBefore) await prepareAsBefore(url, ownerUrl);
  else await migrateToLatest?.(owner);
  const objects = await testObjectStore(t);
  const { temporalAddress, s3, modelsDirectory } = testServers();
  const connection = await Connection.connect({ address: temporalAddress });
  t.teardown(() => connection.close());
  const client = new Client({ connection });
  const taskQueue = `test-${randomBytes(6).toString('hex')}`;
  t.teardown(() =>
    client.schedule
      .getHandle(`${taskQueue}-sweep`)
      .delete()
      .catch(() => {}),
  );
  const environment = {
    ...process.env,
    S3_ENDPOINT: s3.endpoint,
    S3_ACCESS_KEY_ID: s3.accessKeyId,
    S3_SECRET_ACCESS_KEY: s3.secretAccessKey,
    S3_BUCKET: objects.bucket,
    TEMPORAL_ADDRESS: temporalAddress,
    SVC_TASK_QUEUE: taskQueue,
    SVC_MODELS_DIR: modelsDirectory,
    SVC_INFERENCE_PROCESSES: '1',
  };
  const asBefore = { ...environment, DATABASE_URL: prepareAsBefore ? url : ownerUrl };
  return {
    ...{ url, ownerUrl },
    stack: { db: owner, objects, client, taskQueue, account: await accountOf(theirs, owner) },
    old: createProcesses(t, { environment: asBefore, root }),
    fresh: createProcesses(t, { environment: { ...environment, DATABASE_URL: url } }),
  };
}

async function accountOf(
  theirs: (path: string) => Promise<Theirs>,
  db: Checked['db'],
): Promise<TestAccount> {
  const organizations = await theirs('db/organizations.ts');
  const keys = await theirs('db/api-keys.ts');
  const plan = { plan: 'subscription', allowanceSeconds: 3_600_000, overageSeconds: 0 } as const;
  const organizationId = await organizations.createOrganization(db, {
    name: 'Test',
    actor: 'test',
    ...plan,
  });
  const created = await keys.createKey(db, { organizationId, mode: 'live', actor: 'test' });
  return { organizationId, ...created };
}
