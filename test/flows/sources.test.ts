// Recordings by address: fetched once, by a worker, whatever servers and workers do meanwhile.
import test from 'ava';
import { batchItemSchema } from '../../api/batches/schemas.ts';
import { fileSchema } from '../../api/files/schemas.ts';
import { createSecretBox } from '../../db/secret-box.ts';
import { setSourceCredential } from '../../db/source-credentials.ts';
import type { SourceSecret } from '../../models/contract/source.ts';
import { call, readResults, startBatch, untilBatch } from '../support/batches.ts';
import { testServers } from '../support/environment.ts';
import { testObjectStore } from '../support/object-store.ts';
import { serveFile, sourceServer } from '../support/source-server.ts';
import { encode, speech, toWav } from '../support/speech.ts';
import { testStack, untilReady } from '../support/stack.ts';
import { traces } from '../support/traces.ts';
import { until } from '../support/until.ts';

test('each address is fetched once, or its item says why it is not', async (t) => {
  const stack = await testStack(t, { worker: false });
  const clip = toWav(await speech('Please call me back tomorrow morning.'));
  const mp3 = await encode(clip, 'mp3', ['-b:a', '64k']);
  const { base, requests } = await sourceServer(t, (request, response) => {
    const seen = requests.filter(({ url }) => url === request.url).length;
    const path = request.url!.replace(/\?.*/, '');
    const file = { bytes: clip, etag: '"clip"' };
    if (path === '/broken.wav') {
      serveFile(request, response, { ...file, ...(seen === 1 && { breakAfter: 10_000 }) });
    } else if (path === '/held.wav' && seen === 1) {
      // Never goes on: its worker is killed while it waits.
      response.writeHead(200, { 'content-length': clip.length }).write(clip.subarray(0, 5_000));
    } else if (path === '/private.wav') {
      response.writeHead(302, { location: 'http://169.254.169.254/' }).end();
    } else if (path === '/page.html') response.end('<!doctype html>');
    else if (path === '/none.wav') response.writeHead(404).end();
    else if (path === '/locked.mp3' && request.headers.authorization !== 'Bearer open sesame')
      response.writeHead(403).end();
    else serveFile(request, response, path.endsWith('.mp3') ? { bytes: mp3 } : file);
  });
  const { organizationId } = stack.account;
  const bucket = await testObjectStore(t);
  await bucket.putBytes('november/call one.wav', clip);
  const { endpoint, region, accessKeyId, secretAccessKey } = testServers().s3;
  const store = (prefix: string, secret: SourceSecret): Promise<void> =>
    setSourceCredential(stack.db, createSecretBox(stack.secretsKey), {
      ...{ organizationId, prefix, secret, actor: 'test' },
    });
  const s3 = { kind: 's3', accessKeyId, secretAccessKey, region, endpoint } as const;
  await store(`s3://${bucket.bucket}/november/`, s3);
  await store(`${base}/locked.mp3/`, { kind: 'bearer', token: 'open sesame' });

  const headers = { 'Idempotency-Key': 'file' };
  const source = { url: `${base}/file.wav?signature=secret` };
  const asked = { method: 'POST', body: { source }, headers };
  const { body: file } = await call(stack, '/v1/files', asked);
  t.like(fileSchema.parse(file), {
    ...{ status: 'pending', filename: 'file.wav', bytes: null },
    source: { url: `${base}/file.wav` },
  });
  t.is((await call(stack, '/v1/files', asked)).body.id, file.id);

  const wanted: readonly (readonly [path: string, outcome: string])[] = [
    [`${base}/held.wav`, 'completed'],
    [`${base}/broken.wav`, 'completed'],
    [`${base}/locked.mp3`, 'completed'],
    [`s3://${bucket.bucket}/november/call%20one.wav`, 'completed'],
    [`s3://${bucket.bucket}/december/call.wav`, 'source_refused'],
    [`s3://${bucket.bucket}/november/none.wav`, 'source_rejected'],
    [`${base}/private.wav`, 'source_refused'],
    [`${base}/page.html`, 'unsupported_audio'],
    [`${base}/none.wav`, 'source_rejected'],
  ];
  const items = wanted.map(([url]) => ({ custom_id: url, source: { url } }));
  const order = { method: 'POST', body: { task: 'transcription', items } };
  const first = await stack.startWorker();
  const created = await call(stack, '/v1/batches', order);
  t.is(created.status, 202, JSON.stringify(created.body));
  await until(() => requests.some(({ url }) => url === '/held.wav'));
  first.kill('SIGKILL');
  await stack.startWorker();
  await untilReady(stack);
  const batch = await untilBatch(stack, created.body.id);
  t.like(batch.request_counts, { completed: 4, failed: 5 });

  const results = await readResults(stack, batch.id);
  t.deepEqual(
    results.map(({ status, error }) => error?.code ?? status),
    wanted.map(([, outcome]) => outcome),
  );
  for (const { result } of results) if (result) t.regex(result.text ?? '', /call me back/i);
  const twice = await startBatch(stack, [file.id, file.id]);
  t.like((await untilBatch(stack, twice.id)).request_counts, { completed: 2 });
  t.is(requests.filter(({ url }) => url?.startsWith('/file.wav')).length, 1);
  const seconds = Math.ceil((clip.length - 44) / 32_000);
  t.deepEqual((await traces(stack)).debits, Array(6).fill(seconds));
  t.like(fileSchema.parse((await call(stack, `/v1/files/${file.id}`)).body), {
    ...{ status: 'processed', bytes: clip.length },
  });
  const { body: page } = await call(stack, `/v1/batches/${batch.id}/items`);
  for (const item of page.data) t.notThrows(() => batchItemSchema.parse(item));
  const { bytes, items: known } = await stack.db
    .selectFrom('storageTotals')
    .select(['bytes', 'batchItems as items'])
    .executeTakeFirstOrThrow();
  t.true(bytes >= 4 * clip.length && known === items.length + 2);

  for (const { id } of [batch, twice])
    t.is((await call(stack, `/v1/batches/${id}`, { method: 'DELETE' })).status, 200);
  // What the killed worker left has a row by which it is swept.
  const swept = await stack.db.selectFrom('objects').select(['key', 'kind']).execute();
  const { objectKeys } = await traces(stack);
  const unknown = objectKeys.filter((key) => !swept.some((row) => row.key === key));
  t.deepEqual([...unknown, ...swept.filter(({ kind }) => kind !== 'upload')], []);
  const refused = async (item: object): Promise<string> => {
    const body = { task: 'transcription', items: [{ custom_id: 'a', ...item }] };
    const { body: answer } = await call(stack, '/v1/batches', { method: 'POST', body });
    return `${answer.error.code} ${answer.error.param}`;
  };
  t.is(await refused({}), 'missing_field items.0.file_id');
  t.is(await refused({ source, file_id: file.id }), 'invalid_field items.0.file_id');
  t.is(await refused({ source: { url: 'file:///a' } }), 'invalid_field items.0.source.url');
  t.is(
    await refused({ source: { url: 'https://10.0.0.1/' } }),
    'source_refused items.0.source.url',
  );
});
