// An organization that is erased stays so, whatever others commit meanwhile or later.
import test from 'ava';
import { sql } from 'kysely';
import { createKey, listKeys, rotateKey } from '../../db/api-keys.ts';
import { batchById } from '../../db/batches.ts';
import { closeBatch } from '../../db/close-batch.ts';
import { createBatch } from '../../db/create-batch.ts';
import type { Db } from '../../db/database.ts';
import { eraseMarked, eraseOrganization } from '../../db/erase-organization.ts';
import { createFile, deleteFiles, findFiles } from '../../db/files.ts';
import { setSuspended } from '../../db/organizations.ts';
import { setVocabulary } from '../../db/vocabulary-defaults.ts';
import { untilBlocked } from '../support/blocked.ts';
import { anAccount, testDatabase } from '../support/database.ts';
import { aStoredBatch } from '../support/stored-batch.ts';

const actor = 'operator:test';
const keptSeconds = 30 * 86_400;

const fileId = (number: number): string => `file-${String(number).padStart(24, '0')}`;

async function suspended(db: Db) {
  const { organizationId, keyId } = await anAccount(db);
  await setSuspended(db, { organizationId, actor, suspended: true });
  return { organizationId, keyId, change: { organizationId, actor } };
}

/** Files with descending ids, so that the table's order is not that of an index. */
async function storeFiles(db: Db, organizationId: string, count: number): Promise<void> {
  await sql`INSERT INTO files (id, organization_id, object_key, filename, container, bytes,
      expires_at)
    SELECT 'file-' || lpad((${count}::int - n)::text, 24, '0'), ${organizationId},
      'uploads/' || n, 'call.wav', 'wav', 10, now() + interval '30 days'
    FROM generate_series(0, ${count}::int - 1) AS n`.execute(db);
}

async function keptFiles(db: Db): Promise<number> {
  const { rows } = await sql<{ kept: number }>`
    SELECT count(*) AS kept FROM files WHERE expires_at > now()`.execute(db);
  return rows[0]!.kept;
}

test('others that delete files meanwhile do not let the rest be kept', async (t) => {
  const { db } = await testDatabase(t);
  const { organizationId, change } = await suspended(db);
  await storeFiles(db, organizationId, 2_500);
  const { erased } = await db.transaction().execute(async (deleting) => {
    await sql`DELETE FROM files WHERE id IN (
      SELECT id FROM files WHERE organization_id = ${organizationId} LIMIT 500)`.execute(deleting);
    const begun = eraseOrganization(db, change);
    await untilBlocked(db);
    return { erased: begun };
  });
  await erased;
  t.is(await keptFiles(db), 0);
});

test('who deletes the same files, and who erases them, lock them in one order', async (t) => {
  const { db } = await testDatabase(t);
  const { organizationId, change } = await suspended(db);
  await storeFiles(db, organizationId, 500);
  const ids = Array.from({ length: 500 }, (_, i) => fileId(i + 1));
  const working = await db.transaction().execute(async (holding) => {
    const files = holding.selectFrom('files').select('id').forUpdate();
    await files.where('id', '=', fileId(1)).execute();
    const both = [eraseOrganization(db, change), deleteFiles(db, ids)];
    await untilBlocked(db, 2);
    const free = await files.skipLocked().execute();
    t.is(free.length, 500, 'they wait for the first, and hold none of the others');
    return { both: Promise.all(both) };
  });
  await t.notThrowsAsync(working.both);
  t.is(await keptFiles(db), 0);
});

test('what is committed after the erasure goes with the next sweep', async (t) => {
  const { db } = await testDatabase(t);
  const { organizationId, keyId, change } = await suspended(db);
  await eraseOrganization(db, change);
  // A body that was being read, a rotation and a change of terms that had begun.
  const kept = { organizationId, lifetimeSeconds: keptSeconds, idempotencyKey: null };
  const audio = { container: 'wav', bytes: 1_000, sha256: null } as const;
  const named = { objectKey: 'uploads/late', filename: 'call.wav', fingerprint: 'f' };
  const file = await createFile(db, { ...kept, ...named, audio });
  const upload = { key: named.objectKey, container: 'wav', bytes: 1_000 } as const;
  const batch = await createBatch(db, {
    ...{ ...kept, keyId, task: 'emotion', model: 'svc-fourier', options: {}, metadata: {} },
    ...{ webhookUrl: null, fingerprint: 'f' },
    items: [{ customId: 'Jane Doe', metadata: {}, fileId: file!.id, upload }],
  });
  await db.updateTable('apiKeys').set({ revokedAt: null }).execute();
  await rotateKey(db, keyId, { graceSeconds: 60, actor });
  await setVocabulary(db, { ...change, terms: ['Siobhan'] });

  await eraseMarked(db);
  t.deepEqual(await findFiles(db, organizationId, [file!.id]), []);
  const { createdAt, expiresAt } = (await batchById(db, batch!.id))!;
  t.deepEqual(expiresAt, createdAt);
  const keys = await listKeys(db, organizationId);
  t.deepEqual(
    keys.map(({ name, revokedAt }) => [name, revokedAt !== null]),
    [
      ['', true],
      ['', true],
    ],
  );
  const { vocabulary } = await db
    .selectFrom('organizations')
    .select('vocabulary')
    .executeTakeFirstOrThrow();
  t.deepEqual(vocabulary, []);
});

test('a batch that runs for longer than it was to be kept is not kept after it', async (t) => {
  const { db } = await testDatabase(t);
  const { batch, organizationId } = await aStoredBatch(db, ['a']);
  await sql`UPDATE batches SET created_at = now() - interval '2 days',
    expires_at = now() - interval '1 day'`.execute(db);
  await setSuspended(db, { organizationId, actor, suspended: true });
  await eraseOrganization(db, { organizationId, actor });
  await closeBatch(db, batch.id, 'completed');
  const { expiresAt, endedAt } = (await batchById(db, batch.id))!;
  t.deepEqual(expiresAt, endedAt);
});

test('an erased organization that is resumed begins anew', async (t) => {
  const { db } = await testDatabase(t);
  const { organizationId, change } = await suspended(db);
  await eraseOrganization(db, change);
  const issue = () => createKey(db, { ...change, mode: 'live' });
  await t.throwsAsync(issue(), { message: `${organizationId} is erased; resume it first` });
  await setSuspended(db, { ...change, suspended: false });
  await issue();
  await storeFiles(db, organizationId, 1);
  await eraseMarked(db);
  t.is(await keptFiles(db), 1);
  const keys = await listKeys(db, organizationId);
  t.deepEqual(
    keys.map(({ revokedAt }) => revokedAt === null),
    [false, true],
  );
});
