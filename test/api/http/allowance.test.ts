// Without allowance no body is accepted; a session's token counts where its slots can be spent.
import { randomUUID } from 'node:crypto';
import test from 'ava';
import { sql } from 'kysely';
import { createKey } from '../../../db/api-keys.ts';
import { changeTerms } from '../../../db/organizations.ts';
import { claimRequest } from '../../../db/requests.ts';
import { call } from '../../support/batches.ts';
import { anAccount } from '../../support/database.ts';
import { silence, toWav } from '../../support/speech.ts';
import { postFile, testStack, type Answer, type TestStack } from '../../support/stack.ts';
import { settledTraces } from '../../support/traces.ts';

const file = toWav(silence(1));
const spectra = { model: 'svc-spectra-2' };

const outcome = ({ status, body }: Answer): string => `${status} ${body.error?.code}`;

const headersOf = (token: string) => ({ 'X-Svc-Session': token });

const transcribed = (stack: TestStack, key: string, token: string, fields = {}) =>
  postFile(stack, '/v1/audio/transcriptions', { file, key, fields, headers: headersOf(token) });

test('an invented session token grants nothing', async (t) => {
  const stack = await testStack(t, { worker: false });
  const { key } = await anAccount(stack.db, { allowanceSeconds: 0 });
  const headers = headersOf(`ss1_${'A'.repeat(80)}`);
  const uploads = ['transcriptions', 'emotions', 'styles', 'affect', 'analysis', 'proficiency'];
  for (const path of [...uploads.map((name) => `/v1/audio/${name}`), '/v1/files']) {
    for (const given of [{}, { 'X-Svc-Session': 'x' }, headers]) {
      const answer = await postFile(stack, path, { file, key, headers: given });
      t.is(outcome(answer), '402 allowance_exhausted', path);
    }
  }
  const item = { custom_id: 'a', file_id: `file-${'0'.repeat(24)}` };
  const posts: readonly (readonly [string, unknown])[] = [
    ['/v1/batches', { task: 'emotion', items: [item] }],
    ['/v1/client-token', {}],
    ['/v1/files/presign', { filename: 'a.wav', bytes: 100 }],
    ['/v1/audio/sessions', { model: 'svc-spectra-2', id: randomUUID() }],
  ];
  for (const [path, body] of posts) {
    const answer = await call(stack, path, { method: 'POST', body, key, headers });
    t.is(outcome(answer), '402 allowance_exhausted', path);
  }
  t.deepEqual(await settledTraces(stack), { debits: [], objectKeys: [], objectRows: 0 });
});

test('a live session of this very key counts for the model that it was made for', async (t) => {
  const stack = await testStack(t, { worker: false });
  const { key, organizationId } = await anAccount(stack.db, { allowanceSeconds: 60 });
  const request = { model: 'svc-spectra-2', id: randomUUID() };
  const created = await call(stack, '/v1/audio/sessions', { method: 'POST', body: request, key });
  t.is(created.body.capacity_seconds, 60, 'all that was left');
  const { token } = created.body;
  const spent = await transcribed(stack, key, token, spectra);
  t.is(outcome(spent), '400 invalid_field', 'taken in, but the id is not one of the session');
  t.is(outcome(await transcribed(stack, key, token)), '402 allowance_exhausted');
  t.is(outcome(await transcribed(stack, key, '', spectra)), '402 allowance_exhausted');
  const second = await createKey(stack.db, { organizationId, mode: 'live', actor: 'test' });
  const otherKeys = await transcribed(stack, second.key, token, spectra);
  t.is(outcome(otherKeys), '402 allowance_exhausted', 'of another key');
  await sql`UPDATE prepared_sessions SET expires_at = now()`.execute(stack.db);
  const late = await transcribed(stack, key, token, spectra);
  t.is(outcome(late), '402 allowance_exhausted', 'it is over');
  t.deepEqual((await settledTraces(stack)).objectKeys, []);
});

test('the id of an earlier request lets nothing in that claims no id', async (t) => {
  const stack = await testStack(t, { worker: false });
  const { db } = stack;
  const { key, keyId, organizationId } = await anAccount(db, { allowanceSeconds: 0 });
  const rest = { fingerprint: 'f', task: 't', model: 'm', ratePerMinute: 0, uploadKey: '' };
  await claimRequest(db, { organizationId, keyId, requestId: 'known', ...rest });
  const headers = { 'X-Request-ID': 'known' };
  const claims = await postFile(stack, '/v1/audio/emotions', { file, key, headers });
  t.is(claims.status, 409, 'this one claims it');
  const stores = await postFile(stack, '/v1/files', { file, key, headers });
  t.is(outcome(stores), '402 allowance_exhausted');
  for (const path of ['/v1/client-token', '/v1/files/presign', '/v1/batches']) {
    const answer = await call(stack, path, { method: 'POST', body: {}, key, headers });
    t.is(outcome(answer), '402 allowance_exhausted', path);
  }
});

test('a repeated request is answered with what it created, whatever is left', async (t) => {
  const stack = await testStack(t, { worker: false });
  const { db } = stack;
  const { key, organizationId } = await anAccount(db, { allowanceSeconds: 60 });
  const headers = { 'Idempotency-Key': 'monday' };
  const stored = await postFile(stack, '/v1/files', { file, key, headers });
  const source = { source: { url: 'https://example.com/a.wav' } };
  const items = [{ custom_id: 'a', file_id: stored.body.id }];
  const id = randomUUID();
  const posts = [
    ['/v1/batches', { task: 'emotion', items }, headers],
    ['/v1/files', source, { 'Idempotency-Key': 'named' }],
    ['/v1/files/presign', { filename: 'a.wav', bytes: 100 }, { 'Idempotency-Key': 'presigned' }],
    [
      '/compat/hume/v0/batch/jobs',
      { models: { prosody: {} }, urls: ['https://example.com/a.wav'] },
      { 'X-Request-ID': id },
    ],
  ] as const;
  const post = ([path, body, sent]: (typeof posts)[number], more: object = sent) =>
    call(stack, path, { method: 'POST', body, key, headers: { ...more } });
  const created = await Promise.all(posts.map((each) => post(each)));
  const none = { plan: 'subscription', allowanceSeconds: 0, overageSeconds: 0 } as const;
  await changeTerms(db, { organizationId, actor: 'test', termsAfter: () => none });
  t.is((await postFile(stack, '/v1/files', { file, key, headers })).body.id, stored.body.id);
  for (const [i, each] of posts.entries()) {
    const again = await post(each);
    t.is(again.status, created[i]!.status, JSON.stringify(again.body));
    t.is(again.body.id ?? again.body.job_id, created[i]!.body.id ?? created[i]!.body.job_id);
    t.is(again.headers.get('Idempotency-Replayed'), 'true');
    const other = { 'Idempotency-Key': 'other', 'X-Request-ID': randomUUID() };
    t.is(outcome(await post(each, other)), '402 allowance_exhausted', each[0]);
  }
  const [path, body] = posts[0];
  const changed = await post([path, { ...body, task: 'style' }, headers] as never);
  t.is(outcome(changed), '409 idempotency_conflict');
});

test('an exhausted allowance is reported in the words of the plan', async (t) => {
  const stack = await testStack(t, { worker: false });
  const message = async (terms: Parameters<typeof anAccount>[1]) => {
    const { key } = await anAccount(stack.db, { ...terms, allowanceSeconds: 0 });
    const answer = await postFile(stack, '/v1/audio/emotions', { file, key });
    return answer.body.error.message as string;
  };
  for (const [terms, what] of [
    [{ plan: 'credits' }, 'The credits'],
    [{ plan: 'trial' }, 'The trial minutes'],
    [{}, 'The plan minutes'],
  ] as const) {
    const said = await message(terms);
    t.true(said.startsWith(`${what} are used up, or reserved by what is in progress;`), said);
  }
});

test('a session reserves a tenth of a limited allowance, at least a minute', async (t) => {
  const stack = await testStack(t, { worker: false });
  const capacity = async (terms: Parameters<typeof anAccount>[1]) => {
    const { key } = await anAccount(stack.db, terms);
    const body = { model: 'svc-spectra-2', id: randomUUID() };
    const created = await call(stack, '/v1/audio/sessions', { method: 'POST', body, key });
    return created.body.capacity_seconds as number;
  };
  t.is(await capacity({ allowanceSeconds: 6_000 }), 600);
  t.is(await capacity({ allowanceSeconds: 500 }), 60);
  t.is(await capacity({ allowanceSeconds: 31 }), 31);
  t.is(await capacity({ allowanceSeconds: 36_000 }), 960);
  t.is(await capacity({ allowanceSeconds: 0, overageSeconds: null }), 960, 'without bound');
});
