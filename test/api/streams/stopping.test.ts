// A stream worker that is asked to stop: who has not committed in time is told why the stream ends.
import test from 'ava';
import { sql } from 'kysely';
import { balanceOf } from '../../../db/balance.ts';
import { createCredential } from '../../../db/stream-credentials.ts';
import { openSocket, type Ended, type TestSocket } from '../../support/sockets.ts';
import { aStreamServer } from '../../support/stream-server.ts';
import { until } from '../../support/until.ts';

const kinds = {
  '/v1/audio/transcriptions/stream': ['svceet.pcm.v1', 'ready'],
  '/openai/v1/realtime': ['realtime', 'session.created'],
} as const;

test('open streams end with an error that asks for another try, and are not charged', async (t) => {
  const { db, account, server, base } = await aStreamServer(t);
  const { organizationId, key } = account;
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

type RunningServer = Awaited<ReturnType<typeof aStreamServer>>;

/** @returns a client token, which opens one stream */
async function aToken({ db, account }: RunningServer): Promise<string> {
  const { organizationId, keyId } = account;
  const secret = 'A'.repeat(43);
  const opens = { lifetimeSeconds: 60 };
  await createCredential(db, { kind: 'client_token', secret, organizationId, keyId, opens });
  return secret;
}

const openWith = ({ base }: RunningServer, token: string): TestSocket =>
  openSocket(base, '/v1/audio/transcriptions/stream', {
    protocols: ['svceet.pcm.v1', `auth.${token}`],
  });

const outcomeOf = ({ code, messages }: Ended): string => `${code} ${messages.at(-1).error?.code}`;

test('an upgrade that waits for its turn is rejected, and its token is not used', async (t) => {
  const waiting = Promise.withResolvers<void>();
  const turn = Promise.withResolvers<() => void>();
  const running = await aStreamServer(t, {
    acquireStart: () => {
      waiting.resolve();
      return turn.promise;
    },
  });
  const { db, server, leases } = running;
  const { ended } = openWith(running, await aToken(running));
  await waiting.promise;
  t.is(leases.size, 1);
  await server.close(2_001);
  turn.resolve(() => {});
  t.is(outcomeOf(await ended), '503 not_ready');
  t.deepEqual(running.counts.failed, [], 'a planned stop is no fault');
  t.is(leases.size, 0);
  const credential = await db.selectFrom('streamCredentials').select('usedAt').executeTakeFirst();
  t.is(credential?.usedAt, null);
});

test('an upgrade whose token is being used is rejected without a stream', async (t) => {
  const running = await aStreamServer(t);
  const { db, server, leases } = running;
  const token = await aToken(running);
  const holder = await db.startTransaction().execute();
  await holder.selectFrom('streamCredentials').selectAll().forUpdate().execute();
  const { ended } = openWith(running, token);
  const waiting = sql<{ n: number }>`SELECT count(*)::int AS n FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock'`;
  await until(async () => (await waiting.execute(db)).rows[0]!.n > 0);
  await server.close(2_001);
  await holder.rollback().execute();
  t.is(outcomeOf(await ended), '503 not_ready');
  t.is(leases.size, 0);
});
