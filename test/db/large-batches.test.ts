// Batches of thousands: what they cost their organization, and deletions that are begun again.
import test from 'ava';
import { sql } from 'kysely';
import { lockOrganization } from '../../db/balance.ts';
import { discardBatch } from '../../db/batch-deletion.ts';
import { createFile, deleteFiles, expiredFiles, findFileByKey } from '../../db/files.ts';
import type { Db } from '../../db/database.ts';
import { storageOf } from '../../db/storage-quota.ts';
import { anAccount, testDatabase } from '../support/database.ts';
import { testObjectStore } from '../support/object-store.ts';

const files = 600;

/** A batch of many files of one byte each. */
async function largeBatch(db: Db, { ended }: { readonly ended: boolean }) {
  const { organizationId, keyId } = await anAccount(db);
  const name = organizationId.slice(-8);
  const id = `batch-${name}`;
  await sql`INSERT INTO files (id, organization_id, object_key, filename, container, bytes,
      expires_at)
    SELECT ${name} || i, ${organizationId}, ${name} || i, 'x', 'wav', 1, now() + interval '1 day'
    FROM generate_series(1, ${files}) AS i`.execute(db);
  await sql`INSERT INTO batches (id, organization_id, key_id, task, model, options, metadata, total,
      bytes, fingerprint, expires_at, ended_at)
    VALUES (${id}, ${organizationId}, ${keyId}, 'emotion', 'svc-fourier', '{}', '{}', ${files},
      ${files}, 'f', now() + interval '1 day', ${ended ? sql`now()` : null})`.execute(db);
  await sql`INSERT INTO batch_items (batch_id, position, custom_id, metadata, file_id, object_key,
      container, bytes)
    SELECT ${id}, i - 1, i::text, '{}', ${name} || i, ${name} || i, 'wav', 1
    FROM generate_series(1, ${files}) AS i`.execute(db);
  const batch = { id, organizationId, endedAt: ended ? new Date() : null };
  return { batch, organizationId, name };
}

const count = async (db: Db, organizationId: string): Promise<number> => {
  const rows = await db
    .selectFrom('files')
    .select('id')
    .where('organizationId', '=', organizationId)
    .execute();
  return rows.length;
};

test('the sums of an organization are written once for a statement', async (t) => {
  const { db } = await testDatabase(t);
  const { organizationId, name } = await largeBatch(db, { ended: true });
  t.is((await storageOf(db, organizationId)).used.bytes, files);
  await db.transaction().execute(async (trx) => {
    const updates = async (): Promise<number> => {
      const { rows } = await sql<{ updates: string }>`SELECT n_tup_upd AS updates
        FROM pg_stat_xact_user_tables WHERE relname = 'storage_totals'`.execute(trx);
      return Number(rows[0]!.updates);
    };
    const before = await updates();
    await trx.updateTable('files').set({ filename: 'y' }).where('id', 'like', `${name}%`).execute();
    t.is((await updates()) - before, 0, 'nothing of the sums changed');
    await trx.deleteFrom('files').where('organizationId', '=', organizationId).execute();
    t.is((await updates()) - before, 1);
  });
  t.is((await storageOf(db, organizationId)).used.bytes, 0);
});

test('a deletion that fails on the way can be asked for again', async (t) => {
  const [{ db }, objects] = await Promise.all([testDatabase(t), testObjectStore(t)]);
  const { batch, organizationId } = await largeBatch(db, { ended: true });
  let calls = 0;
  const failing = new Proxy(objects, {
    get: (target, property, receiver) =>
      property === 'delete' && (calls += 1) === 2
        ? () => Promise.reject(new Error('storage is away'))
        : (Reflect.get(target, property, receiver) as unknown),
  });
  await t.throwsAsync(discardBatch({ db, objects: failing }, batch), { message: /away/ });
  const rows = await db.selectFrom('batches').select('id').where('id', '=', batch.id).execute();
  t.is(rows.length, 1, 'the batch is still there to be deleted');
  t.true(await discardBatch({ db, objects }, batch));
  t.is(await count(db, organizationId), 0);
  t.like((await storageOf(db, organizationId)).used, { bytes: 0, files: 0 });
});

test('expired files of an open batch hold up nobody else’s', async (t) => {
  const { db } = await testDatabase(t);
  await largeBatch(db, { ended: false });
  const other = await anAccount(db);
  const file = await createFile(db, {
    ...{ organizationId: other.organizationId, objectKey: 'k', filename: 'x' },
    ...{ audio: { container: 'wav', bytes: 1, sha256: null }, lifetimeSeconds: 60 },
    ...{ idempotencyKey: null, fingerprint: null },
  });
  await sql`UPDATE files SET expires_at = now() - interval '2 days'`.execute(db);
  await sql`UPDATE files SET expires_at = now() - interval '1 day' WHERE id = ${file!.id}`.execute(
    db,
  );
  t.deepEqual(await expiredFiles(db), [file!.id]);
});

test('the idempotency key of an expired file that is still needed is free again', async (t) => {
  const { db } = await testDatabase(t);
  const { organizationId } = await anAccount(db);
  const keep = (objectKey: string) =>
    createFile(db, {
      ...{ organizationId, objectKey, filename: 'x', lifetimeSeconds: 60 },
      ...{ audio: { container: 'wav', bytes: 1, sha256: null }, fingerprint: 'f' },
      idempotencyKey: 'once',
    });
  const first = await keep('a');
  t.is(await keep('b'), null);
  await sql`UPDATE files SET expires_at = now() - interval '1 s'`.execute(db);
  t.is(await findFileByKey(db, organizationId, 'once'), null);
  const second = await keep('b');
  t.is((await findFileByKey(db, organizationId, 'once'))?.id, second!.id);
  t.deepEqual(await deleteFiles(db, [first!.id]), ['a']);
});

test('who writes a batch for seconds does not keep others from reserving', async (t) => {
  const { db } = await testDatabase(t);
  const { organizationId } = await anAccount(db);
  await db.transaction().execute(async (writing) => {
    await sql`INSERT INTO files (id, organization_id, object_key, filename, expires_at)
      VALUES ('file-a', ${organizationId}, 'a', 'x', now())`.execute(writing);
    await db.transaction().execute(async (reserving) => {
      await sql`SET LOCAL lock_timeout = '2s'`.execute(reserving);
      await t.notThrowsAsync(lockOrganization(reserving, organizationId));
    });
  });
});
