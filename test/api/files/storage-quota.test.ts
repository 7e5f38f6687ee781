// The storage quota over HTTP: rejected before the body if its size is known, and on every path.
import test from 'ava';
import { uploadFolderKey } from '../../../db/object-keys.ts';
import { setStorageQuota } from '../../../db/organizations.ts';
import { storageOf } from '../../../db/storage-quota.ts';
import { sweepTombstones } from '../../../db/upload-tombstones.ts';
import { call, uploadFile } from '../../support/batches.ts';
import { silence, toWav } from '../../support/speech.ts';
import { postFile, testStack, type TestStack } from '../../support/stack.ts';
import { until } from '../../support/until.ts';

const file = toWav(silence(1));

const quota = ({ db, account }: TestStack, bytes: number, files = 1_000): Promise<void> => {
  const { organizationId } = account;
  return setStorageQuota(db, { organizationId, actor: 'test', bytes, files });
};

test('uploads and addresses beyond it are rejected, and processes share it', async (t) => {
  const stack = await testStack(t, { worker: false });
  const other = await stack.startApi();
  await quota(stack, 3 * file.length + 10);
  const all = await Promise.all(
    Array.from({ length: 8 }, (_, i) =>
      postFile({ ...stack, base: i % 2 === 0 ? stack.base : other.base }, '/v1/files', { file }),
    ),
  );
  t.is(all.filter(({ status }) => status === 200).length, 3);
  for (const { status, body } of all.filter((answer) => answer.status !== 200)) {
    t.is(
      `${status} ${body.error.type} ${body.error.code}`,
      '402 billing_error storage_quota_exceeded',
    );
  }
  // What was rejected at its end leaves nothing.
  const { organizationId } = stack.account;
  t.is((await storageOf(stack.db, organizationId)).used.files, 3);
  const stored = () => stack.objects.list('uploads/');
  t.is((await until(stored, ({ length }) => length <= 3)).length, 3);
  const presign = (bytes: number) =>
    call(stack, '/v1/files/presign', { method: 'POST', body: { filename: 'a.wav', bytes } });
  t.is((await presign(11)).body.error.code, 'storage_quota_exceeded');
  t.is((await presign(10)).status, 200);
  t.is((await presign(1)).body.error.code, 'storage_quota_exceeded', 'it counts unseen');
});

test('a replay of a stored upload is answered although the quota is used up', async (t) => {
  const stack = await testStack(t, { worker: false });
  const headers = { 'Idempotency-Key': 'monday' };
  const first = await postFile(stack, '/v1/files', { file, headers });
  await quota(stack, 1);
  const again = await postFile(stack, '/v1/files', { file, headers });
  t.deepEqual([again.status, again.body.id], [200, first.body.id]);
  t.is((await postFile(stack, '/v1/files', { file })).status, 402);
});

test('an address is not valid beyond its file: what it writes later is swept', async (t) => {
  const stack = await testStack(t, { worker: false });
  const body = { filename: 'a.wav', bytes: file.length };
  const headers = { 'Idempotency-Key': 'k' };
  const created = await call(stack, '/v1/files/presign', { method: 'POST', body, headers });
  const { id, upload } = created.body;
  t.is((await call(stack, `/v1/files/${id}`, { method: 'DELETE' })).status, 200);
  const late = await fetch(upload.url, {
    method: 'PUT',
    headers: upload.headers,
    body: new Uint8Array(file),
  });
  t.is(late.status, 200, 'storage cannot know');
  await sweepTombstones(stack);
  const folder = uploadFolderKey(stack.account.organizationId);
  t.deepEqual(await stack.objects.list('uploads/'), [folder]);
  t.is((await uploadFile(stack, file)).startsWith('file-'), true);
});
