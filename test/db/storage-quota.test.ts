// An organization's storage quota: exact under concurrency, declared uploads count, deletions free.
import test from 'ava';
import fc from 'fast-check';
import { sql } from 'kysely';
import { discardFiles } from '../../db/batch-deletion.ts';
import { createBatch } from '../../db/create-batch.ts';
import { openDatabase, type Db } from '../../db/database.ts';
import { describeFiles } from '../../db/file-contents.ts';
import { createFile, type NewFile } from '../../db/files.ts';
import { ObjectsKept } from '../../db/objects/object-deletion.ts';
import { setStorageQuota, changeTerms } from '../../db/organizations.ts';
import { requireCapacity, storageOf, StorageQuotaExceeded } from '../../db/storage-quota.ts';
import { sweepTombstones } from '../../db/upload-tombstones.ts';
import { planRows } from '../../models/contract/plans.ts';
import { anAccount, patient, testDatabase } from '../support/database.ts';
import { testObjectStore } from '../support/object-store.ts';

const actor = 'test';
let created = 0;

function keep(db: Db, organizationId: string, audio: NewFile['audio']) {
  const objectKey = `uploads/${(created += 1)}`;
  const named = { organizationId, objectKey, filename: 'x', audio, lifetimeSeconds: 3_600 };
  return createFile(db, { ...named, idempotencyKey: null, fingerprint: null });
}

const ofBytes = (bytes: number) => ({ container: 'wav', bytes, sha256: null }) as const;

test('of many concurrent files over two pools exactly those that fit are stored', async (t) => {
  const { db, url } = await testDatabase(t);
  const other = openDatabase(url, patient);
  t.teardown(() => other.destroy());
  const { organizationId } = await anAccount(db);
  await setStorageQuota(db, { organizationId, actor, bytes: 1_000, files: 100 });
  const kept = await Promise.allSettled(
    Array.from({ length: 40 }, (_, i) =>
      keep(i % 2 === 0 ? db : other, organizationId, ofBytes(100)),
    ),
  );
  t.is(kept.filter(({ status }) => status === 'fulfilled').length, 10);
  for (const outcome of kept) {
    if (outcome.status === 'rejected') t.true(outcome.reason instanceof StorageQuotaExceeded);
  }
  t.like((await storageOf(db, organizationId)).used, { bytes: 1_000, files: 10 });
  await t.throwsAsync(requireCapacity(db, organizationId, 1), {
    message: /may keep 1000 bytes of files; it would be 1001/,
  });
  await setStorageQuota(db, { organizationId, actor, bytes: 2_000, files: 10 });
  await t.throwsAsync(keep(db, organizationId, ofBytes(1)), { message: /10 files/ });
  const free = await anAccount(db);
  await t.notThrowsAsync(keep(db, free.organizationId, ofBytes(100)), 'of another organization');
});

test('a declared upload counts until it was checked, and while its address is valid', async (t) => {
  const [{ db }, objects] = await Promise.all([testDatabase(t), testObjectStore(t)]);
  const { organizationId } = await anAccount(db);
  const bytes = async () => (await storageOf(db, organizationId)).used.bytes;
  const file = await keep(db, organizationId, {
    reservedBytes: 500,
    addressLifetimeSeconds: 3_600,
  });
  t.is(await bytes(), 500);
  await describeFiles(db, [{ id: file!.id, ...ofBytes(120) }]);
  t.is(await bytes(), 120);
  t.is(await discardFiles({ db, objects }, [file!.id]), 1);
  t.is(await bytes(), 500, 'the address can still be written to');
  const { left } = await db
    .selectFrom('uploadTombstones')
    .select(sql<number>`extract(epoch FROM expires_at - now())`.as('left'))
    .executeTakeFirstOrThrow();
  t.true(left > 7_140 && left <= 7_200, `an upload may take an hour longer: ${left} s`);
  await objects.putBytes(file!.objectKey, 'late');
  await sweepTombstones({ db, objects });
  t.is(await objects.readStart(file!.objectKey, 1), null);
  t.is(await bytes(), 500);
  await sql`UPDATE upload_tombstones SET expires_at = now() - interval '1 s'`.execute(db);
  await objects.putBytes(file!.objectKey, 'in the last moment');
  await sweepTombstones({ db, objects });
  t.is(await objects.readStart(file!.objectKey, 1), null);
  t.deepEqual(await db.selectFrom('uploadTombstones').selectAll().execute(), []);
  t.like((await storageOf(db, organizationId)).used, { bytes: 0, files: 0 });
});

test('an object that storage does not delete keeps its own tombstone alone', async (t) => {
  const [{ db }, objects] = await Promise.all([testDatabase(t), testObjectStore(t)]);
  const { organizationId } = await anAccount(db);
  const audio = { reservedBytes: 500, addressLifetimeSeconds: 3_600 };
  const kept = [];
  for (let i = 0; i < 3; i += 1) kept.push((await keep(db, organizationId, audio))!);
  const [locked] = kept.map(({ objectKey }) => objectKey);
  await discardFiles(
    { db, objects },
    kept.map(({ id }) => id),
  );
  await sql`UPDATE upload_tombstones SET expires_at = now() - interval '1 s'`.execute(db);
  const refusing = { delete: () => Promise.reject(new ObjectsKept('AccessDenied', [locked!])) };
  const swept = sweepTombstones({ db, objects: refusing });
  await t.throwsAsync(swept, { instanceOf: ObjectsKept });
  t.deepEqual(await db.selectFrom('uploadTombstones').select('key').execute(), [{ key: locked! }]);
  t.like((await storageOf(db, organizationId)).used, { bytes: 500, files: 1 });
});

test('quotas follow the plan, and operators set others', async (t) => {
  const { db } = await testDatabase(t);
  const { organizationId } = await anAccount(db);
  t.deepEqual((await storageOf(db, organizationId)).quota, planRows.subscription.storage);
  const trial = { plan: 'trial', allowanceSeconds: 60, overageSeconds: 0 } as const;
  await changeTerms(db, { organizationId, actor, termsAfter: () => trial });
  t.deepEqual((await storageOf(db, organizationId)).quota, planRows.trial.storage);
  await setStorageQuota(db, { organizationId, actor, bytes: 7, files: null });
  const { quota } = await storageOf(db, organizationId);
  t.deepEqual(quota, { bytes: 7, files: planRows.trial.storage.files });
});

test('property: the sums are those of the rows, whatever is stored and deleted', async (t) => {
  const [{ db }, objects] = await Promise.all([testDatabase(t), testObjectStore(t)]);
  const step = fc.record({
    act: fc.constantFrom('keep', 'presign', 'look', 'drop', 'batch'),
    bytes: fc.integer({ min: 1, max: 100 }),
    which: fc.nat({ max: 20 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
      const { organizationId, keyId } = await anAccount(db);
      const files: string[] = [];
      for (const { act, bytes, which } of steps) {
        const chosen = files[which % Math.max(1, files.length)];
        if (act === 'keep' || act === 'presign') {
          const presigned = { reservedBytes: bytes, addressLifetimeSeconds: 60 };
          const audio = act === 'keep' ? ofBytes(bytes) : presigned;
          files.push((await keep(db, organizationId, audio))!.id);
        } else if (act === 'batch') {
          const upload = { key: 'k', container: 'wav', bytes } as const;
          const file = await keep(db, organizationId, ofBytes(bytes));
          const item = { customId: 'a', metadata: {}, fileId: file!.id, upload };
          await createBatch(db, {
            ...{
              organizationId,
              keyId,
              task: 'emotion',
              model: 'svc-fourier',
              options: {},
              metadata: {},
            },
            ...{ webhookUrl: null, lifetimeSeconds: 60, idempotencyKey: null, fingerprint: 'f' },
            items: [item],
          });
        } else if (chosen && act === 'look')
          await describeFiles(db, [{ id: chosen, ...ofBytes(bytes) }]);
        else if (chosen) await discardFiles({ db, objects }, [chosen]);
      }
    }),
    { numRuns: 20 },
  );
  const { rows } = await sql`
    SELECT organization_id, bytes, files, batch_items FROM storage_totals
    EXCEPT SELECT id,
      coalesce((SELECT sum(coalesce(bytes, reserved_bytes)) FROM files
        WHERE organization_id = organizations.id), 0)
      + coalesce((SELECT sum(bytes) FROM upload_tombstones
        WHERE organization_id = organizations.id), 0),
      (SELECT count(*) FROM files WHERE organization_id = organizations.id)
      + (SELECT count(*) FROM upload_tombstones WHERE organization_id = organizations.id),
      (SELECT coalesce(sum(total), 0) FROM batches WHERE organization_id = organizations.id)
    FROM organizations`.execute(db);
  t.deepEqual(rows, []);
});
