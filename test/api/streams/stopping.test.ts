// A stream worker that is asked to stop: who has not committed in time is told why the stream ends.
import test from 'ava';
import type { Client } from '@temporalio/client';
import { serveRealtime } from '../../../api/realtime/serve-realtime.ts';
import { readRealtimeOpening } from '../../../api/realtime/opening.ts';
import { createStreamRegistry } from '../../../api/streams/registry.ts';
import { startStreamServer } from '../../../api/streams/server.ts';
import { balanceOf } from '../../../db/balance.ts';
import { createFairGate } from '../../../models/fairness/fair-gate.ts';
import { anAccount, testDatabase } from '../../support/database.ts';
import { defaultBundles } from '../../support/default-bundles.ts';
import { createFakePool } from '../../support/fake-pool.ts';
import { openSocket } from '../../support/sockets.ts';

const kinds = {
  '/v1/audio/transcriptions/stream': ['svceet.pcm.v1', 'ready'],
  '/openai/v1/realtime': ['realtime', 'session.created'],
} as const;

test('open streams end with an error that asks for another try, and are not charged', async (t) => {
  const { db } = await testDatabase(t);
  const { organizationId, key } = await anAccount(db);
  const server = await startStreamServer({
    ...{ db, taskQueue: 'q', hostQueue: 'h', registry: createStreamRegistry() },
    client: {
      connection: { withDeadline: (_end: number, work: () => Promise<void>) => work() },
      workflow: { start: () => Promise.resolve() },
    } as unknown as Client,
    ...{ pool: createFakePool(), affect: () => null, bundles: defaultBundles, log: () => {} },
    ...{ acquireTurn: async () => () => {}, acquireStart: async () => () => {} },
    ...{ commits: createFairGate(4), gate: createFairGate(4) },
    leases: { acquire: async () => () => {}, close: async () => {} },
    ...{ readRealtimeOpening, serveRealtime, host: '127.0.0.1', port: 0 },
  });
  const base = `http://127.0.0.1:${server.port}`;
  const open = Object.entries(kinds).map(async ([path, [protocol, first]]) => {
    const stream = openSocket(base, path, { protocols: [protocol], key });
    await stream.message(first);
    return stream;
  });
  const streams = await Promise.all(open);
  await server.close(2_001);
  for (const { ended } of streams) {
    const { code, messages } = await ended;
    const { type, code: reason, error } = messages.at(-1);
    t.deepEqual([code, type, reason ?? error.code], [1013, 'error', 'not_ready']);
  }
  t.is((await balanceOf(db, organizationId)).remainingSeconds, 3_600);
});
