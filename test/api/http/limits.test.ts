// Limits of a key: named in every answer, shared by the processes, and nothing is stored beyond
// them.
import test from 'ava';
import { createKeyLeases } from '../../../db/key-leases.ts';
import { anAccount } from '../../support/database.ts';
import { openSocket } from '../../support/sockets.ts';
import { silence, toWav } from '../../support/speech.ts';
import { postFile, testStack } from '../../support/stack.ts';
import { settledTraces } from '../../support/traces.ts';
import { until } from '../../support/until.ts';

const wav = toWav(silence(1));

const get = (base: string, path: string, key: string): Promise<Response> =>
  fetch(base + path, { headers: { Authorization: `Bearer ${key}` } });

test('requests a minute: headers count down, then 429, over processes', async (t) => {
  const stack = await testStack(t, { worker: false });
  const other = await stack.startApi();
  const { key } = await anAccount(stack.db, { limits: { requestsPerMinute: 3 } });
  const seen: string[] = [];
  for (const base of [stack.base, other.base, stack.base]) {
    const { status, headers } = await get(base, '/v1/models/svc-resonance-2/access', key);
    t.is(status, 200);
    t.is(headers.get('ratelimit-policy'), '"key";q=3;w=60');
    seen.push(/r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1] ?? '');
  }
  t.deepEqual(seen, ['2', '1', '0']);
  for (const base of [stack.base, other.base]) {
    const at = { ...stack, base };
    const answer = await postFile(at, '/v1/audio/emotions', { file: wav, key, requestId: 'x' });
    t.is(`${answer.status} ${answer.body.error.code}`, '429 rate_limited');
    t.regex(answer.headers.get('ratelimit') ?? '', /^"key";r=0;t=\d+$/);
    const wait = Number(answer.headers.get('retry-after'));
    t.true(wait >= 1 && wait <= 60, `${wait}`);
  }
  t.deepEqual(await stack.db.selectFrom('requests').selectAll().execute(), []);
  t.deepEqual(await settledTraces(stack), { debits: [], objectKeys: [], objectRows: 0 });
  t.is((await get(stack.base, '/v1/models', stack.account.key)).status, 200, 'another key');
});

test('concurrency: files and streams are limited, set-up and catalogs are not', async (t) => {
  const stack = await testStack(t, { worker: false, streams: true });
  const { key, keyId } = await anAccount(stack.db, { limits: { maxConcurrent: 1 } });
  const elsewhere = createKeyLeases(stack.db, { leaseSeconds: 3_600 });
  t.teardown(() => elsewhere.close());
  t.truthy(await elsewhere.acquire(keyId, 1));
  for (const path of ['emotions', 'transcriptions', 'proficiency', 'synthetic-speech']) {
    const answer = await postFile(stack, `/v1/audio/${path}`, { file: wav, key });
    t.is(`${answer.status} ${answer.body.error.code}`, '429 rate_limited', path);
    t.is(answer.headers.get('retry-after'), '1');
  }
  const lite = '/v1/audio/transcriptions/stream';
  const rejected = await openSocket(stack.base, lite, { protocols: ['svceet.pcm.v1'], key }).ended;
  t.deepEqual([rejected.code, rejected.messages[0].error.code], [429, 'rate_limited']);
  t.is((await get(stack.base, '/v1/models', key)).status, 200);
  t.deepEqual((await settledTraces(stack)).objectKeys, []);
});

test('a concurrent burst of one key does not pass its limit', async (t) => {
  const stack = await testStack(t, { worker: false });
  const { key } = await anAccount(stack.db, { limits: { maxConcurrent: 2 } });
  const statuses: number[] = [];
  const burst = Array.from({ length: 12 }, async () => {
    const { status } = await postFile(stack, '/v1/audio/emotions', { file: wav, key });
    statuses.push(status);
  });
  // Two wait for a worker, which is started once the others have been answered.
  await until(() => statuses.length >= 10);
  await stack.startWorker();
  await Promise.all(burst);
  t.deepEqual(statuses, [...Array<number>(10).fill(429), 200, 200]);
  t.is((await postFile(stack, '/v1/audio/emotions', { file: wav, key })).status, 200);
});
