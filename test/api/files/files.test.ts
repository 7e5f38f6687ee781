// Files: uploads through the service and directly to storage, what is rejected, and what remains.
import { createHash } from 'node:crypto';
import test from 'ava';
import { uploadFolderKey } from '../../../db/object-keys.ts';
import { fileSchema, presignedFileSchema } from '../../../api/files/schemas.ts';
import { call, readResults, startBatch, untilBatch } from '../../support/batches.ts';
import { silence, speech, toWav } from '../../support/speech.ts';
import { postFile, testStack } from '../../support/stack.ts';
import { settledTraces } from '../../support/traces.ts';

test.serial(
  'a presigned upload is one PUT of exactly the bytes, looked at by its batch',
  async (t) => {
    const stack = await testStack(t);
    const wav = toWav(await speech('Straight to the storage.'));
    const presign = async (bytes: number, filename = 'call.wav') => {
      const body = { filename, bytes };
      const { status, body: created } = await call(stack, '/v1/files/presign', {
        method: 'POST',
        body,
      });
      t.is(status, 200, JSON.stringify(created));
      return presignedFileSchema.parse(created);
    };
    const put = async ({ upload }: Awaited<ReturnType<typeof presign>>, body: Buffer) => {
      // The upload has its own length, whatever was signed.
      const { 'Content-Length': _, ...headers } = upload.headers;
      return (await fetch(upload.url, { method: 'PUT', headers, body: new Uint8Array(body) }))
        .status;
    };
    const order = (id: string) =>
      call(stack, '/v1/batches', {
        method: 'POST',
        body: { task: 'transcription', items: [{ custom_id: 'a', file_id: id }] },
      });
    const file = await presign(wav.length);
    t.like(file, { status: 'pending', bytes: wav.length }, 'as declared');
    const { url, expires_at: expiresAt } = file.upload;
    t.is(new URL(url).searchParams.get('X-Amz-Expires'), '3600');
    t.true(Math.abs(expiresAt - file.created_at - 3_600) <= 60, `${expiresAt}`);
    const { organizationId } = stack.account;
    // The gateway deletes empty folders, and the service cannot repeat a caller's PUT.
    t.deepEqual(await stack.objects.list('uploads/'), [uploadFolderKey(organizationId)]);
    t.regex((await order(file.id)).body.error.message, /has not been uploaded/);
    t.is(await put(file, wav), 200);
    t.not(await put(file, wav), 200, 'it is written once');
    const { id } = await startBatch(stack, [file.id]);
    const batch = await untilBatch(stack, id);
    t.is(batch.request_counts.completed, 1);
    const seen = fileSchema.parse((await call(stack, `/v1/files/${file.id}`)).body);
    const sha256 = createHash('sha256').update(wav).digest('hex');
    t.like(seen, { status: 'processed', bytes: wav.length, sha256 });
    // The same bytes at another address are recognized once they have been fetched.
    const verdict = { errorCode: 'audio_undecodable', errorMessage: 'It ended its decoder.' };
    await stack.db
      .insertInto('quarantinedAudio')
      .values({ organizationId, content: `sha256:${sha256}`, ...verdict })
      .execute();
    const same = await presign(wav.length);
    t.is(await put(same, wav), 200);
    const { id: next } = await startBatch(stack, [same.id]);
    t.is((await untilBatch(stack, next)).request_counts.failed, 1);
    const [line] = await readResults(stack, next);
    t.is((line as { error: { message: string } }).error.message, verdict.errorMessage);

    const text = Buffer.from('this is no recording at all, only some text');
    const wrong = await presign(text.length, 'notes.txt');
    t.is(await put(wrong, text), 200);
    t.is((await order(wrong.id)).body.error.code, 'unsupported_audio');
    const short = await presign(wav.length - 2);
    t.is(await put(short, wav), 403, 'the length is signed');
    const large = { filename: 'x', bytes: 40_000_000 };
    const answer = await call(stack, '/v1/files/presign', { method: 'POST', body: large });
    t.like(answer.body.error, { code: 'file_too_large', param: 'bytes' });
    t.regex(answer.body.error.message, /at most 31457280 bytes, got 40000000\.$/);
  },
);

test('what is not a recording is rejected and leaves nothing', async (t) => {
  const stack = await testStack(t, { worker: false });
  const file = toWav(silence(1));
  const send = (fields: Record<string, string>, content = file) =>
    postFile(stack, '/v1/files', { file: content, fields });
  const rejected = async (fields: Record<string, string>, code: string, content = file) => {
    const { status, body } = await send(fields, content);
    t.is(`${status} ${body.error?.code}`, `400 ${code}`, JSON.stringify(fields));
  };
  await rejected({ purpose: 'fine-tune' }, 'invalid_field');
  await rejected({ 'expires_after[seconds]': '60' }, 'invalid_field');
  await rejected({ 'expires_after[seconds]': '2592001' }, 'invalid_field');
  await rejected({ 'expires_after[anchor]': 'never' }, 'invalid_field');
  await rejected({ model: 'svc-resonance' }, 'unknown_field');
  await rejected({}, 'unsupported_audio', Buffer.from('no audio'));
  await rejected({}, 'missing_file', Buffer.alloc(0));
  for (const id of ['file-1', '%00', `file-${'0'.repeat(24)}`]) {
    t.is((await call(stack, `/v1/files/${id}`)).status, 404, id);
    t.is((await call(stack, `/v1/files/${id}`, { method: 'DELETE' })).status, 404, id);
    t.is((await call(stack, `/v1/batches/${id}`)).status, 404, id);
  }
  t.is((await call(stack, '/v1/files?after=%00')).status, 400);
  const other = await call(stack, '/v1/files/presign', { method: 'PUT', body: {} });
  t.is(`${other.status} ${other.headers.get('Allow')}`, '405 POST');
  const bad = await call(stack, '/v1/batches', {
    method: 'POST',
    body: {},
    headers: { 'Idempotency-Key': 'x'.repeat(200) },
  });
  t.is(bad.body.error.param, 'Idempotency-Key');
  t.deepEqual((await settledTraces(stack)).objectKeys, []);
  const kept = await send({ purpose: 'batch', 'expires_after[seconds]': '3600' });
  t.is(kept.body.expires_at - kept.body.created_at, 3_600);
  const longest = (await send({ purpose: 'batch' })).body;
  t.is(longest.expires_at - longest.created_at, 2_592_000, '30 days');
});

test('a file that is deleted twice at once is deleted, or gone', async (t) => {
  const stack = await testStack(t, { worker: false });
  const { body } = await postFile(stack, '/v1/files', { file: toWav(silence(1)) });
  const path = `/v1/files/${body.id}`;
  const answers = await Promise.all([1, 2, 3].map(() => call(stack, path, { method: 'DELETE' })));
  const statuses = answers.map(({ status }) => status);
  t.true(statuses.includes(200));
  t.deepEqual(
    statuses.filter((status) => status !== 200 && status !== 404),
    [],
  );
});
