// A stream worker's server over a database of its own, without Temporal and without models.
import type { Client } from '@temporalio/client';
import { readRealtimeOpening } from '../../api/realtime/opening.ts';
import { serveRealtime } from '../../api/realtime/serve-realtime.ts';
import { createStreamRegistry } from '../../api/streams/registry.ts';
import { startStreamServer } from '../../api/streams/server.ts';
import { createFairGate } from '../../models/fairness/fair-gate.ts';
import type { AcquireStart } from '../../models/fairness/start-gate.ts';
import type { Cleanup } from './cleanup.ts';
import { anAccount, testDatabase } from './database.ts';
import { defaultBundles } from './default-bundles.ts';
import { createFakePool } from './fake-pool.ts';
import { streamCounts } from './stream-counts.ts';

export interface StreamServerUnderTest {
  /** Delays upgrades. */
  readonly acquireStart?: AcquireStart;
  /** Starts a workflow. */
  readonly start?: () => Promise<void>;
}

export async function aStreamServer(
  t: Cleanup,
  { acquireStart = async () => () => {}, start = async () => {} }: StreamServerUnderTest = {},
) {
  const { db } = await testDatabase(t);
  const account = await anAccount(db);
  const leases = new Set<object>();
  const counts = streamCounts();
  const server = await startStreamServer({
    ...{ db, taskQueue: 'q', hostQueue: 'h', registry: createStreamRegistry() },
    client: {
      connection: { withDeadline: (_end: number, work: () => Promise<void>) => work() },
      workflow: { start },
    } as unknown as Client,
    ...{ pool: createFakePool(), affect: () => null, bundles: defaultBundles, log: () => {} },
    ...{ acquireTurn: async () => () => {}, acquireStart, metrics: counts.metrics },
    ...{ commits: createFairGate(4), gate: createFairGate(4) },
    leases: {
      async acquire() {
        const lease = {};
        leases.add(lease);
        return () => void leases.delete(lease);
      },
      close: async () => {},
    },
    ...{ readRealtimeOpening, serveRealtime, host: '127.0.0.1', port: 0 },
  });
  return { db, account, server, leases, counts, base: `http://127.0.0.1:${server.port}` };
}
