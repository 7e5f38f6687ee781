// A set-up that the database could not confirm, and one whose id has reserved what is left.
import { randomUUID } from 'node:crypto';
import test from 'ava';
import { sql } from 'kysely';
import { createSession } from '../../../db/sessions.ts';
import { call } from '../../support/batches.ts';
import { testStack } from '../../support/stack.ts';
import { until } from '../../support/until.ts';

const model = 'svc-spectra-2';

test('a database that ends the connection of a set-up leaves it unconfirmed', async (t) => {
  const stack = await testStack(t, { worker: false });
  const { db } = stack;
  const headers = { 'X-Svc-Session': `ss1_${'a'.repeat(80)}`, 'X-Request-ID': randomUUID() };
  for (const [path, body] of [
    ['/v1/audio/sessions', { model, id: randomUUID() }],
    ['/v1/audio/stream-sessions', { model, task: 'transcription' }],
  ] as const) {
    const answer = await db.transaction().execute(async (trx) => {
      await sql`LOCK TABLE prepared_sessions IN ACCESS EXCLUSIVE MODE`.execute(trx);
      const answered = call(stack, path, { method: 'POST', body, headers });
      await until(async () => {
        const { rows } = await sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
          WHERE datname = current_database() AND wait_event_type = 'Lock'`.execute(db);
        return rows.length > 0;
      });
      return answered;
    });
    t.is(`${answer.status} ${answer.body.error.code}`, '503 setup_unconfirmed', path);
    t.regex(answer.body.error.message, /prepare a new session/);
    t.true(Number(answer.headers.get('Retry-After')) >= 1);
  }
});

test('an id whose session has reserved all that is left is told that it was used', async (t) => {
  const stack = await testStack(t, { worker: false, allowanceSeconds: 60 });
  const { db, account } = stack;
  const { organizationId, keyId } = account;
  const sessionId = randomUUID();
  await createSession(db, {
    ...{ organizationId, keyId, sessionId, token: 'token', slots: 1 },
    ...{ maxCapacitySeconds: 960, ratePerMinute: 0, lifetimeSeconds: 30 },
  });
  const prepare = async (id: string) => {
    const body = { model, id };
    const answer = await call(stack, '/v1/audio/sessions', { method: 'POST', body });
    return `${answer.status} ${answer.body.error.code}`;
  };
  t.is(await prepare(sessionId), '409 request_already_completed');
  t.is(await prepare(sessionId.toUpperCase()), '409 request_already_completed');
  t.is(await prepare(randomUUID()), '402 allowance_exhausted');
});
