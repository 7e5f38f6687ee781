// Bad requests: each has its status, its code and the envelope, and leaves nothing behind.
import test from 'ava';
import { errorEnvelopeSchema } from '../../../api/results/schemas.ts';
import { call } from '../../support/batches.ts';
import { anAccount } from '../../support/database.ts';
import { silence, toWav } from '../../support/speech.ts';
import { postFile, testStack, transcribe } from '../../support/stack.ts';
import { settledTraces } from '../../support/traces.ts';

const wav = toWav(silence(1));

type Part = readonly [name: string, value: string | Blob, filename?: string];
const file: Part = ['file', new Blob([new Uint8Array(wav)]), 'call.wav'];

const badForms: readonly (readonly [string, readonly Part[], number, string])[] = [
  ['no parts', [['model', 'svc-resonance']], 400, 'missing_file'],
  ['the file under another name', [['audio', new Blob(['x']), 'a.wav']], 400, 'missing_file'],
  ['the file as text', [['file', 'hello']], 400, 'invalid_field'],
  ['an empty file', [['file', new Blob([]), 'a.wav']], 400, 'missing_file'],
  ['text as a file', [['file', new Blob(['hello']), 'a.wav']], 400, 'unsupported_audio'],
  ['two files', [file, file], 400, 'duplicate_field'],
  ['text and file of one name', [file, ['file', 'x']], 400, 'duplicate_field'],
  ['a field twice', [file, ['model', 'svc-resonance'], ['model', 'x']], 400, 'duplicate_field'],
  [
    'a field twice, then the file',
    [['model', 'svc-resonance'], ['model', 'x'], file],
    400,
    'duplicate_field',
  ],
  [
    'a body beyond what its model takes',
    [
      ['model', 'svc-svceet'],
      ['file', new Blob([new Uint8Array(2 ** 22)]), 'a.wav'],
    ],
    413,
    'body_too_large',
  ],
  ['an unknown model', [file, ['model', 'gpt']], 400, 'model_not_found'],
  ['a retired model', [file, ['model', 'svc-resonance-1']], 400, 'model_retired'],
  ['a retired alias', [['model', 'resonance'], file], 400, 'model_retired'],
  ['a model of another endpoint', [file, ['model', 'svczero']], 400, 'model_not_supported'],
  ['a model in capitals', [file, ['model', 'SVC-RESONANCE']], 400, 'model_not_found'],
  ['diarize that is no boolean', [file, ['diarize', 'yes']], 400, 'invalid_field'],
  [
    'diarize with svc-fourier',
    [file, ['diarize', '1'], ['model', 'svc-fourier']],
    400,
    'diarization_unsupported',
  ],
  ...['0', '33', '1.5', 'two'].map((count): readonly [string, readonly Part[], number, string] => [
    `${count} speakers`,
    [file, ['diarize', 'true'], ['num_speakers', count]],
    400,
    'invalid_field',
  ]),
  ['include_logits', [file, ['include_logits', 'false']], 400, 'unknown_field'],
  ['a long field', [file, ['model', 'x'.repeat(5_000)]], 400, 'invalid_field'],
];

test('every bad form is rejected with its code and leaves no row, object or debit', async (t) => {
  const stack = await testStack(t, { worker: false });
  for (const [name, parts, status, code] of badForms) {
    const form = new FormData();
    for (const [field, value, filename] of parts) {
      if (typeof value === 'string') form.append(field, value);
      else form.append(field, value, filename ?? 'blob');
    }
    const response = await fetch(`${stack.base}/v1/audio/transcriptions`, {
      method: 'POST',
      body: form,
      headers: { Authorization: `Bearer ${stack.account.key}`, 'X-Request-ID': 'bad' },
    });
    const { error } = errorEnvelopeSchema.parse(await response.json());
    t.is(`${response.status} ${error.code}`, `${status} ${code}`, name);
    t.is(error.request_id, 'bad');
    t.is(response.headers.get('x-request-id'), 'bad');
    t.regex(response.headers.get('content-type') ?? '', /^application\/json/);
  }
  t.deepEqual(await settledTraces(stack), { debits: [], objectKeys: [], objectRows: 0 });
  t.deepEqual(await stack.db.selectFrom('requests').selectAll().execute(), []);
});

test('keys, accounts and minutes are checked before the body', async (t) => {
  const stack = await testStack(t, { worker: false });
  const poor = await anAccount(stack.db, { allowanceSeconds: 0 });
  const suspended = await anAccount(stack.db);
  await stack.db
    .updateTable('organizations')
    .set({ suspended: true })
    .where('id', '=', suspended.organizationId)
    .execute();
  const cases = [
    ['nonsense', 401, 'invalid_api_key'],
    [`${stack.account.key}x`, 401, 'invalid_api_key'],
    [suspended.key, 403, 'account_suspended'],
    [poor.key, 402, 'allowance_exhausted'],
  ] as const;
  for (const [key, status, code] of cases) {
    const answer = await transcribe(stack, wav, { key });
    t.is(`${answer.status} ${answer.body.error.code}`, `${status} ${code}`);
  }
  const bare = await fetch(`${stack.base}/v1/models`);
  t.is(bare.status, 401);
  t.is(bare.headers.get('www-authenticate'), 'Bearer');
});

test('unknown paths and methods have the envelope too', async (t) => {
  const { base } = await testStack(t, { worker: false });
  const cases = [
    ['GET', '/', 404, 'not_found'],
    ['GET', '/v1/nothing', 404, 'not_found'],
    ['GET', '/v1/audio/transcriptions', 405, 'method_not_allowed'],
    ['DELETE', '/v1/models', 405, 'method_not_allowed'],
    ['POST', '/livez', 405, 'method_not_allowed'],
  ] as const;
  for (const [method, path, status, code] of cases) {
    const response = await fetch(base + path, { method });
    const { error } = errorEnvelopeSchema.parse(await response.json());
    t.is(`${response.status} ${error.code}`, `${status} ${code}`, path);
    if (status === 405) t.truthy(response.headers.get('allow'));
    t.truthy(response.headers.get('x-request-id'));
  }
});

test('request ids: generated if absent, the caller’s if valid, 400 if not', async (t) => {
  const { base } = await testStack(t, { worker: false });
  const get = (id?: string) =>
    fetch(`${base}/livez`, { headers: id === undefined ? {} : { 'X-Request-ID': id } });
  const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
  t.regex((await get()).headers.get('x-request-id')!, uuid);
  t.is((await get('a'.repeat(128))).headers.get('x-request-id'), 'a'.repeat(128));
  for (const bad of ['a'.repeat(129), 'has space', 'caf\u00e9']) {
    const response = await get(bad);
    t.is(response.status, 400);
    t.is(((await response.json()) as any).error.code, 'invalid_request_id');
    t.regex(response.headers.get('x-request-id')!, uuid);
  }
});

const anywhere = 'WAV, FLAC, MP3, M4A, OGG or WebM';
const samples = ', and its part is not typed audio/pcm or audio/f32le';

test('who sends no recording is told what the model takes that was asked for', async (t) => {
  const { base, account } = await testStack(t, { worker: false });
  for (const [path, model, formats] of [
    ['emotions', '', anywhere],
    ['styles', 'svc-fourier', anywhere],
    ['analysis', 'svc-resonance', anywhere],
    ['transcriptions', '', anywhere + samples],
    ['transcriptions', 'svc-spectra-2', `WAV or FLAC${samples}`],
    ['synthetic-speech', '', 'WAV, FLAC, OGG or MP3'],
  ] as const) {
    const form = new FormData();
    form.set('model', model);
    form.set('file', new Blob(['hello']), 'a.wav');
    const response = await fetch(`${base}/v1/audio/${path}`, {
      method: 'POST',
      body: form,
      headers: { Authorization: `Bearer ${account.key}` },
    });
    const { error } = errorEnvelopeSchema.parse(await response.json());
    t.is(error.message, `The file is not ${formats}.`, `${path} ${model}`);
  }
});

test('a parameter of the query is no field of a strict form', async (t) => {
  const stack = await testStack(t, { worker: false });
  for (const [path, model, status] of [
    ['/v1/audio/transcriptions', 'svc-svceet', 400],
    ['/v1/audio/analysis', 'svc-spectra-2', 400],
    ['/v1/audio/synthetic-speech', 'svczero', 422],
    ['/openai/v1/audio/transcriptions', 'whisper-1', 400],
    ['/compat/hume/v0/batch/jobs', '', 400],
  ] as const) {
    const request = { file: wav, fields: { model }, requestId: crypto.randomUUID() };
    const answer = await postFile(stack, `${path}?diarize=true`, request);
    t.is(`${answer.status} ${answer.body.error.code}`, `${status} unknown_field`, path);
    t.is(answer.body.error.message, '`diarize` is not a parameter here.', path);
  }
  const named = { custom_id: 'a', file_id: `file-${'0'.repeat(24)}` };
  for (const [path, body] of [
    ['/v1/batches', { task: 'emotion', items: [named] }],
    ['/v1/files', { source: { url: 'https://example.com/a.wav' } }],
    ['/v1/files/presign', { filename: 'a.wav', bytes: 100 }],
  ] as const) {
    const answer = await call(stack, `${path}?diarize=true`, { method: 'POST', body });
    t.is(`${answer.status} ${answer.body.error.code}`, '400 unknown_field', path);
  }
});

test('unknown fields are ignored and named', async (t) => {
  const stack = await testStack(t);
  const long = `${'n'.repeat(63)}\u{1f600}`;
  const { status, headers } = await transcribe(stack, wav, {
    fields: {
      prompt: 'x'.repeat(5_000),
      ...{ 'odd name\u00e9': '1', model: '', include_logits: '', num_speakers: '33', [long]: '1' },
    },
  });
  t.is(status, 200);
  const ignored = ['odd%20name%C3%A9', encodeURIComponent(`${'n'.repeat(63)}\ufffd`), 'prompt'];
  t.is(headers.get('x-svc-ignored-fields'), ignored.join(', '));
  const form = new FormData();
  for (const name of ['file', 'notes']) form.append(name, new Blob([new Uint8Array(wav)]), name);
  const response = await fetch(`${stack.base}/v1/audio/transcriptions`, {
    method: 'POST',
    body: form,
    headers: { Authorization: `Bearer ${stack.account.key}` },
  });
  t.is(response.status, 200, 'a file of another name');
  t.is(response.headers.get('x-svc-ignored-fields'), 'notes');
  const path = '/v1/audio/emotions?diarize=true';
  const misplaced = await postFile(stack, path, { file: wav, fields: { notes: 'x' } });
  t.is(misplaced.headers.get('x-svc-ignored-fields'), 'notes, ?diarize');
});
