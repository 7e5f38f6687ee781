// Resonance-2 over HTTP: access, strict result, windows, regimes, abstention, repeats, 422.
import test from 'ava';
import { resonance2ResultSchema } from '../../api/results/schemas.ts';
import { decideAccess } from '../../db/model-access.ts';
import { joinSamples } from '../../models/audio/samples.ts';
import { noise, silence, speech, toWav } from '../support/speech.ts';
import { postFile, testStack, type TestStack } from '../support/stack.ts';
import { traces } from '../support/traces.ts';

const path = '/v1/audio/resonance-2';
const model = 'svc-resonance-2';

function decide({ db, account }: TestStack, status: 'approved' | 'denied' | 'revoked') {
  const { organizationId } = account;
  return decideAccess(db, { organizationId, model, status, actor: 'test' });
}

async function access(stack: TestStack, body?: unknown, type = 'application/json') {
  const response = await fetch(`${stack.base}/v1/models/${model}/access`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { Authorization: `Bearer ${stack.account.key}`, 'Content-Type': type },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  return {
    status: response.status,
    headers: response.headers,
    body: (await response.json()) as any,
  };
}

test('access is requested once, decided by an operator, and audited', async (t) => {
  const stack = await testStack(t, { worker: false });
  t.deepEqual((await access(stack)).body, { model, status: 'not_requested', approved: false });
  const requested = await access(stack, { use_case: 'Quality of our support calls.' });
  t.is(requested.status, 202);
  t.is(requested.body.status, 'pending');
  t.is((await access(stack, { use_case: 'Quality of our support calls.' })).status, 200);
  await decide(stack, 'denied');
  const early = await access(stack, { use_case: 'Quality of our support calls.' });
  t.is(early.status, 429);
  t.true(Number(early.headers.get('retry-after')) > 86_000);
  await decide(stack, 'approved');
  t.is((await access(stack)).body.approved, true);

  const rejections: readonly (readonly [unknown, string, string])[] = [
    [{ use_case: 'short' }, 'application/json', '400 invalid_field'],
    [{ use_case: ' '.repeat(20) }, 'application/json', '400 invalid_field'],
    [{ use_case: 'x'.repeat(2_001) }, 'application/json', '400 invalid_field'],
    [{}, 'application/json', '400 missing_field'],
    [{ use_case: 'long enough', more: 1 }, 'application/json', '400 unknown_field'],
    ['{"use_case":', 'application/json', '400 invalid_json'],
    [{ use_case: 'long enough' }, 'text/plain', '415 unsupported_media_type'],
    [{ use_case: 'y'.repeat(13_000) }, 'application/json', '413 body_too_large'],
  ];
  for (const [body, type, expected] of rejections) {
    const answer = await access(stack, body, type);
    t.is(`${answer.status} ${answer.body.error.code}`, expected);
  }
  const rows = await stack.db
    .selectFrom('audit')
    .select('action')
    .where('action', 'like', 'access.%')
    .orderBy('id')
    .execute();
  t.deepEqual(
    rows.map((row) => row.action),
    ['access.request', 'access.decide', 'access.decide'],
  );
});

test('a clip has 31 scores, six axes, its windows; a repeat costs nothing', async (t) => {
  const stack = await testStack(t);
  const file = toWav(joinSamples([await speech('I am so happy to hear that!'), noise(19)]));
  const before = await postFile(stack, path, { file });
  t.is(`${before.status} ${before.body.error.code}`, '403 model_access_required');
  await decide(stack, 'approved');
  const first = await postFile(stack, path, { file, requestId: 'again' });
  t.is(first.status, 200, JSON.stringify(first.body));
  const result = resonance2ResultSchema.parse(first.body);
  t.is(result.window_count, 2);
  t.is(Object.keys(result.scores).length, 31);
  t.is(Object.keys(result.axes).length, 6);
  t.is(result.usage.rate_per_minute_usd, '0.0100');
  t.is(result.usage.rate_per_hour_usd, '0.6000');
  const [second, third] = await Promise.all([
    postFile(stack, path, { file, requestId: 'again', fields: { model: 'resonance-2' } }),
    postFile(stack, path, { file, requestId: 'again' }),
  ]);
  t.deepEqual(second.body.scores, result.scores);
  t.deepEqual(third.body.scores, result.scores);
  t.is((await traces(stack)).debits.length, 1);

  const precise = await postFile(stack, `${path}?regime=precision`, { file });
  t.is(precise.body.regime, 'precision');
  t.deepEqual(precise.body.scores, result.scores);
  const quiet = await postFile(stack, path, { file: toWav(silence(1)) });
  t.is(resonance2ResultSchema.parse(quiet.body).abstention_reason, 'digital_silence');
});

test('errors of a request are a list with status 422', async (t) => {
  const stack = await testStack(t);
  await decide(stack, 'approved');
  const file = toWav(noise(1));
  const cases = [
    [`${path}?regime=recall`, { file }, ['query', 'regime']],
    [`${path}?regim=precision`, { file }, ['query', 'regim']],
    [path, { file, headers: { 'Content-Encoding': 'gzip' } }, ['header', 'Content-Encoding']],
    [path, { file, fields: { model: 'svc-resonance' } }, ['body', 'model']],
    [path, { file, fields: { diarize: '1' } }, ['body', 'diarize']],
    [path, { file: Buffer.from('no audio at all, only text') }, ['body', 'file']],
    [path, { file: toWav(noise(0.09)) }, ['body', 'file']],
    [path, { file: toWav(noise(120.01)) }, ['body', 'file']],
  ] as const;
  for (const [where, options, loc] of cases) {
    const { status, body } = await postFile(stack, where, options);
    t.is(status, 422, JSON.stringify(body));
    t.deepEqual(body.detail[0].loc, [...loc]);
    t.truthy(body.detail[0].msg && body.detail[0].type);
  }
  t.is((await postFile(stack, path, { file: toWav(noise(120)) })).body.window_count, 6);
  t.is((await postFile(stack, path, { file: toWav(noise(0.1)) })).status, 200);
  const health = await fetch(`${stack.base}${path}/health`);
  t.is(health.status, 200);
});
