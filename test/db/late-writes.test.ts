// Objects that arrive after their deletion: a PUT without an answer, a worker that was cut off.
import { randomBytes } from 'node:crypto';
import test, { type ExecutionContext } from 'ava';
import { sql } from 'kysely';
import { deleteWork, recordEarlierAttempt } from '../../activities/recording-objects.ts';
import { createFile, deleteFiles } from '../../db/files.ts';
import { openRecordedStore, recordLateWrite, sweepLateWrites } from '../../db/late-writes.ts';
import { ObjectsKept } from '../../db/objects/object-deletion.ts';
import { newUploadKey, resultKey, workPrefix } from '../../db/object-keys.ts';
import { claimRequest, unclaimRequest } from '../../db/requests.ts';
import { deleteObjectRows, expiredObjects, registerObject } from '../../db/object-rows.ts';
import type { RecordingInput } from '../../workflows/types.ts';
import { startS3Proxy, type StorageFailure } from '../faults/s3-proxy.ts';
import { anAccount, testDatabase } from '../support/database.ts';
import { testServers } from '../support/environment.ts';
import { patientStore, testObjectStore } from '../support/object-store.ts';
import { createRandom } from '../support/random.ts';

const unaborted = new AbortController().signal;

async function stores(t: ExecutionContext) {
  const [{ db }, direct] = await Promise.all([testDatabase(t), testObjectStore(t)]);
  const { organizationId, keyId } = await anAccount(db);
  const { s3 } = testServers();
  const proxy = await startS3Proxy(t, s3.endpoint, createRandom(1));
  const endpoint = `http://127.0.0.1:${proxy.port}`;
  const objects = openRecordedStore(db, {
    ...s3,
    ...patientStore,
    endpoint,
    bucket: direct.bucket,
  });
  t.teardown(() => objects.close());
  const fail = (failure: StorageFailure, times: number): void =>
    proxy.set({ failures: [failure], share: 1, latencyMs: 0, times });
  const late = async () => {
    const rows = await db.selectFrom('lateWrites').select('key').orderBy('key').execute();
    return rows.map(({ key }) => key);
  };
  const claim = (requestId: string) =>
    claimRequest(db, {
      ...{ organizationId, keyId, requestId, fingerprint: 'f', task: 'emotion' },
      ...{ model: 'svc-resonance', ratePerMinute: 8_000, uploadKey: `u${requestId}` },
    });
  return { db, objects, direct, organizationId, fail, late, claim };
}

async function* oneBlock(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}

for (const failure of ['forget', 'reject', 'reset'] as const) {
  test(`an upload that "${failure}" left without an answer may arrive later`, async (t) => {
    const { db, objects, direct, organizationId, fail, late } = await stores(t);
    const key = newUploadKey(organizationId);
    await registerObject(db, { key, organizationId, kind: 'upload' });
    fail(failure, 1);
    await objects.putStream(key, oneBlock(randomBytes(1_000)));
    t.deepEqual(await late(), [key]);
    await sweepLateWrites({ db, objects }, unaborted);
    t.deepEqual(await direct.list('uploads/'), [key], 'it is in use');
    await objects.delete([key]);
    await deleteObjectRows(db, [key]);
    // The first attempt arrives now.
    await direct.putBytes(key, 'late');
    await sweepLateWrites({ db, objects }, unaborted);
    t.deepEqual(await direct.list('uploads/'), []);
    t.deepEqual(await late(), [key], 'it may arrive again');
    await sql`UPDATE late_writes SET expires_at = now() - interval '1 s'`.execute(db);
    await sweepLateWrites({ db, objects }, unaborted);
    t.deepEqual(await late(), []);
  });
}

test('an upload that fails as a whole is recorded; one that is answered is not', async (t) => {
  const { objects, organizationId, fail, late } = await stores(t);
  const [lost, stored] = [newUploadKey(organizationId), newUploadKey(organizationId)];
  fail('reset', 3);
  await t.throwsAsync(objects.putBytes(lost, 'lost'));
  await objects.putBytes(stored, 'stored');
  await t.throwsAsync(objects.putStream(stored, oneBlock(randomBytes(10))), {
    name: 'PreconditionFailed',
  });
  t.deepEqual(await late(), [lost]);
});

test('what an earlier attempt writes after the deletion is deleted', async (t) => {
  const { db, objects, organizationId, late } = await stores(t);
  const ref = { organizationId, requestId: 'r', attempt: 1 };
  const recording = {
    ...ref,
    upload: { key: newUploadKey(organizationId) },
  } as unknown as RecordingInput;
  const prefix = workPrefix(ref);
  await registerObject(db, { key: prefix, organizationId, kind: 'work' });
  await recordEarlierAttempt({ db }, recording);
  t.deepEqual(await late(), [resultKey(ref), prefix]);
  await objects.putBytes(`${prefix}chunks/000000.json`, 'of the second');
  await deleteWork({ db, objects }, recording);
  for (const key of [`${prefix}chunks/000001.json`, resultKey(ref)]) {
    await objects.putBytes(key, 'of the first');
  }
  await sweepLateWrites({ db, objects }, unaborted);
  t.deepEqual(await objects.list(''), []);
});

test('what a repeated attempt writes before its row is kept', async (t) => {
  const { db, objects, organizationId, claim } = await stores(t);
  const ref = { organizationId, requestId: 'r', attempt: 1 };
  await claim('r');
  await recordEarlierAttempt({ db }, ref as unknown as RecordingInput);
  const keys = [resultKey(ref), `${workPrefix(ref)}pcm`];
  for (const key of keys) await objects.putBytes(key, 'of the second');
  await sweepLateWrites({ db, objects }, unaborted);
  t.deepEqual(await objects.list(''), keys);
  await unclaimRequest(db, ref);
  await sweepLateWrites({ db, objects }, unaborted);
  t.deepEqual(await objects.list(''), []);
});

test('an id that was left unused may be sent again while the sweeper deletes', async (t) => {
  const { db, objects, organizationId, claim } = await stores(t);
  const ref = (requestId: string) => ({ organizationId, requestId, attempt: 1 });
  for (const id of ['first', 'second']) {
    await recordEarlierAttempt({ db }, ref(id) as unknown as RecordingInput);
    await objects.putBytes(`${workPrefix(ref(id))}pcm`, id);
  }
  const deleted: string[] = [];
  const deletePrefix = async (prefix: string): Promise<void> => {
    deleted.push(prefix);
    for (const id of ['first', 'second']) await claim(id);
  };
  await sweepLateWrites({ db, objects: { delete: async () => {}, deletePrefix } }, unaborted);
  t.is(deleted.length, 1, 'the other is in use since');
});

test('what cannot be deleted holds up no other, and is not forgotten', async (t) => {
  const { db, objects, organizationId, late } = await stores(t);
  const prefixes = ['a', 'b', 'c'].map((requestId) =>
    workPrefix({ organizationId, requestId, attempt: 1 }),
  );
  for (const key of prefixes) {
    await recordLateWrite(db, { key, organizationId });
    await objects.putBytes(`${key}pcm`, 'samples');
  }
  await sql`UPDATE late_writes SET expires_at = now() - interval '1 s'`.execute(db);
  const [locked = ''] = prefixes;
  const deletePrefix = async (prefix: string): Promise<void> => {
    if (prefix === locked) throw new Error('it is locked');
    await objects.deletePrefix(prefix);
  };
  const refusing = { delete: async () => {}, deletePrefix };
  await t.throwsAsync(sweepLateWrites({ db, objects: refusing }, unaborted));
  t.deepEqual(await objects.list(''), [`${locked}pcm`]);
  t.true((await late()).includes(locked));
  await sweepLateWrites({ db, objects }, unaborted);
  t.deepEqual([await objects.list(''), await late()], [[], []]);
});

test('the object of a deleted file is swept when nobody has come to delete it', async (t) => {
  const { db, organizationId } = await stores(t);
  const objectKey = newUploadKey(organizationId);
  const file = await createFile(db, {
    ...{ organizationId, objectKey, filename: 'f', lifetimeSeconds: 60 },
    audio: { container: 'wav', bytes: 1, sha256: null },
    ...{ idempotencyKey: null, fingerprint: null },
  });
  t.deepEqual(await deleteFiles(db, [file!.id]), [objectKey]);
  const page = { kind: 'upload', olderThanSeconds: 0, after: '' } as const;
  const { objects: expired } = await expiredObjects(db, page);
  t.is(expired[0]?.key, objectKey);
});

test('one that storage keeps is not forgotten, and the others are', async (t) => {
  const { db, organizationId, late } = await stores(t);
  const keys = ['a', 'b', 'c'].map((requestId) =>
    resultKey({ organizationId, requestId, attempt: 1 }),
  );
  for (const key of keys) await recordLateWrite(db, { key, organizationId });
  await sql`UPDATE late_writes SET expires_at = now() - interval '1 s'`.execute(db);
  const locked = new ObjectsKept('AccessDenied it is locked', [keys[1]!]);
  const objects = { delete: () => Promise.reject(locked), deletePrefix: async () => {} };
  await t.throwsAsync(sweepLateWrites({ db, objects }, unaborted), { instanceOf: AggregateError });
  t.deepEqual(await late(), [keys[1]]);
});
