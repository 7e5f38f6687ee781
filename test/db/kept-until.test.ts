// How long rows and objects are kept, on both sides of each limit (docs/operations.md).
import { randomBytes } from 'node:crypto';
import test from 'ava';
import { sql } from 'kysely';
import { sweepBucket } from '../../db/bucket-sweep.ts';
import { createFile, deleteFiles } from '../../db/files.ts';
import { recordLateWrite } from '../../db/late-writes.ts';
import { newUploadKey } from '../../db/object-keys.ts';
import { claimRequest, failRequest } from '../../db/requests.ts';
import { pruneRows } from '../../db/retention.ts';
import { createSecretBox } from '../../db/secret-box.ts';
import { closeSession, createSession } from '../../db/sessions.ts';
import { createCredential } from '../../db/stream-credentials.ts';
import { rotateWebhookSecret, webhookSecrets } from '../../db/webhook-secrets.ts';
import { anAccount, testDatabase } from '../support/database.ts';
import { noObjects } from '../support/object-exercises.ts';

test('an ended request is kept for 400 days', async (t) => {
  const { db } = await testDatabase(t);
  const { organizationId, keyId } = await anAccount(db);
  const claimed = { fingerprint: 'f', task: 'emotion', model: 'svc-resonance', uploadKey: 'u' };
  for (const requestId of ['399 days', '401 days']) {
    const ref = { organizationId, requestId, attempt: 1 };
    await claimRequest(db, { ...ref, ...claimed, keyId, ratePerMinute: 8_000 });
    await failRequest(db, ref, { code: 'internal_error', message: '', param: null });
  }
  await sql`UPDATE requests SET updated_at = now() - request_id::interval`.execute(db);
  await pruneRows(db);
  const left = await db.selectFrom('requests').select('requestId').execute();
  t.deepEqual(left, [{ requestId: '399 days' }]);
});

test('a closed session is kept for 30 days, a credential for one', async (t) => {
  const { db } = await testDatabase(t);
  const { organizationId, keyId } = await anAccount(db);
  for (const sessionId of ['29 days', '31 days']) {
    await createSession(db, {
      ...{ organizationId, keyId, sessionId, token: sessionId, slots: 1, lifetimeSeconds: 30 },
      ...{ maxCapacitySeconds: 60, ratePerMinute: 8_000 },
    });
    await closeSession(db, organizationId, sessionId);
  }
  await sql`UPDATE prepared_sessions SET expires_at = now() - session_id::interval`.execute(db);
  const opens = { lifetimeSeconds: 60 };
  for (const secret of ['23 hours', '25 hours']) {
    await createCredential(db, { kind: 'client_token', secret, organizationId, keyId, opens });
    await sql`UPDATE stream_credentials SET expires_at = now() - ${secret}::interval
      WHERE hash = sha256(${secret}::text::bytea)`.execute(db);
  }
  await pruneRows(db);
  const sessions = await db.selectFrom('preparedSessions').select('sessionId').execute();
  t.deepEqual(sessions, [{ sessionId: '29 days' }]);
  const { rows } = await sql`SELECT hash = sha256('23 hours') AS younger
    FROM stream_credentials`.execute(db);
  t.deepEqual(rows, [{ younger: true }]);
});

test('what may still arrive is looked for an hour long', async (t) => {
  const { db } = await testDatabase(t);
  const { organizationId } = await anAccount(db);
  const objectKey = newUploadKey(organizationId);
  const file = await createFile(db, {
    ...{ organizationId, objectKey, filename: 'f', lifetimeSeconds: 60 },
    audio: { reservedBytes: 1, addressLifetimeSeconds: 600 },
    ...{ idempotencyKey: null, fingerprint: null },
  });
  await deleteFiles(db, [file!.id]);
  await recordLateWrite(db, { key: objectKey, organizationId });
  const secondsLeft = async (table: 'uploadTombstones' | 'lateWrites') => {
    const left = sql<number>`extract(epoch FROM expires_at - now())`.as('left');
    return (await db.selectFrom(table).select(left).executeTakeFirstOrThrow()).left;
  };
  const near = (seconds: number, expected: number): boolean =>
    seconds <= expected && seconds > expected - 60;
  t.true(near(await secondsLeft('uploadTombstones'), 600 + 3_600), 'after its address expires');
  t.true(near(await secondsLeft('lateWrites'), 3_600));
});

test('an object without a row is an orphan after a day', async (t) => {
  const { db } = await testDatabase(t);
  const { organizationId } = await anAccount(db);
  const ages = [23, 25].map((hours) => ({
    key: newUploadKey(organizationId),
    modifiedAt: new Date(Date.now() - hours * 3_600_000),
  }));
  const deleted: string[] = [];
  const objects = {
    ...noObjects,
    listPage: async (prefix: string, after: string) =>
      prefix === 'uploads/' && after === '' ? ages : [],
    delete: async (keys: readonly string[]) => void deleted.push(...keys),
  };
  t.is(await sweepBucket({ db, objects }), 1);
  t.deepEqual(deleted, [ages[1]!.key]);
});

test('the previous webhook secret also signs for a day', async (t) => {
  const { db } = await testDatabase(t);
  const { organizationId, keyId: actor } = await anAccount(db);
  const box = createSecretBox(randomBytes(32).toString('base64'));
  const rotate = () => rotateWebhookSecret(db, box, { organizationId, actor });
  const [old, fresh] = [await rotate(), await rotate()];
  const signingAfter = async (age: string) => {
    await sql`UPDATE webhook_secrets SET created_at = now() - ${age}::interval`.execute(db);
    return webhookSecrets(db, box, organizationId);
  };
  t.deepEqual(await signingAfter('23 hours'), [fresh, old]);
  t.deepEqual(await signingAfter('25 hours'), [fresh]);
});
