// What the client does when the service fails, has no capacity, or is not there.
import { setTimeout as sleep } from 'node:timers/promises';
import test from 'ava';
import { createSpeechClient } from '../../../clients/typescript/src/client.ts';
import { defaultRetryLimits, retryDelayMs } from '../../../clients/typescript/src/retries.ts';
import type { PreparedSession } from '../../../clients/typescript/src/schemas.ts';
import { SpeechServiceError } from '../../../clients/typescript/src/service-error.ts';
import type { Cleanup } from '../../support/cleanup.ts';
import { failure, scriptedServer, type ScriptedAnswer } from '../../support/scripted-server.ts';

const recording = { name: 'a.wav', data: new Uint8Array([1, 2, 3]) };

async function clientOf(t: Cleanup, answers: readonly ScriptedAnswer[]) {
  const { baseUrl, received } = await scriptedServer(t, answers);
  return { client: createSpeechClient({ baseUrl: `${baseUrl}/`, apiKey: 'k' }), received };
}

test('a call without a limit waits for its answer', async (t) => {
  const answering = async (_: unknown, { signal }: RequestInit = {}): Promise<Response> => {
    await sleep(50, null, { signal: signal! });
    return Response.json({ id: 'res_1' });
  };
  const options = { baseUrl: 'http://service.example', apiKey: 'k', retries: { maxFailures: 0 } };
  for (const timeoutMs of [Infinity, 2_592_000_000]) {
    const client = createSpeechClient({ ...options, timeoutMs, fetch: answering as typeof fetch });
    t.is((await client.audio.analysis(recording)).id, 'res_1');
  }
});

test('only transient failures are sent again, after Retry-After', (t) => {
  const delay = (
    answer: { status: number; code?: string; retryAfterSeconds?: number },
    before: { failures?: number; waits?: number } = {},
    random = 1,
  ) =>
    retryDelayMs(
      { code: 'x', retryAfterSeconds: null, ...answer },
      {
        repetitions: { failures: 0, waits: 0, ...before },
        limits: { ...defaultRetryLimits, maxFailures: 4 },
        random,
      },
    );
  for (const status of [400, 401, 402, 403, 409, 413, 422]) t.is(delay({ status }), null);
  for (const status of [0, 429, 500, 502, 503, 504]) t.is(delay({ status }), 500);
  t.is(delay({ status: 409, code: 'request_in_progress' }, { waits: 9 }), 15_000);
  t.is(delay({ status: 409, code: 'request_in_progress' }, { waits: 10 }), null);
  t.is(delay({ status: 503 }, { failures: 4 }), null);
  t.is(delay({ status: 503 }, { waits: 10 }), 500, 'waits are no failures');
  t.is(delay({ status: 429, code: 'rate_limited', retryAfterSeconds: 7 }, {}, 0), 7_250);
});

test('after a wait and as many failures as allowed the same is sent again', async (t) => {
  const failures = [failure(503, 'not_ready'), { breaks: true }];
  const answers = [failure(429, 'rate_limited'), ...failures, { body: { id: 'res_1' } }];
  const { client, received } = await clientOf(t, answers);
  const result = await client.audio.analysis(recording, { diarize: true, num_speakers: 2 });
  t.is(result.id, 'res_1');
  t.is(received.length, 4);
  const [first] = received;
  t.is(first!.path, '/v1/audio/analysis');
  t.is(first!.headers.authorization, 'Bearer k');
  for (const { headers, body } of received) {
    t.is(headers['x-request-id'], first!.headers['x-request-id']);
    const type = headers['content-type']!;
    const form = await new Response(new Uint8Array(body), {
      headers: { 'Content-Type': type },
    }).formData();
    t.is(form.get('diarize'), 'true');
    t.is(form.get('num_speakers'), '2');
    t.is((form.get('file') as File).size, 3);
  }
});

test('an id that is used up is replaced, unless the caller has chosen it', async (t) => {
  const busy = failure(429, 'model_busy', { 'Retry-After': '0' });
  const own = await clientOf(t, [busy, { body: {} }]);
  await own.client.audio.transcription(recording, { model: 'svc-spectra-2' });
  const [first, second] = own.received.map(({ headers }) => headers['x-request-id']);
  t.not(first, second);
  const given = await clientOf(t, [busy]);
  const call = { requestId: 'call-1' };
  const error = await t.throwsAsync(
    () => given.client.audio.transcription(recording, { model: 'svc-spectra-2' }, call),
    { instanceOf: SpeechServiceError },
  );
  t.is(error?.code, 'model_busy');
  t.deepEqual(
    given.received.map(({ headers }) => headers['x-request-id']),
    ['call-1'],
  );
});

test('a ticket whose answer was lost is not waited for, and a free place is', async (t) => {
  const session = { token: 'ss1_x' } as PreparedSession;
  const ticket = { task: 'analysis', requestId: 'rg_0' } as const;
  const lost = await clientOf(t, [{ breaks: true }, failure(409, 'request_in_progress')]);
  const error = await t.throwsAsync(() => lost.client.sessions.stream(session, ticket), {
    instanceOf: SpeechServiceError,
  });
  t.deepEqual([error?.code, lost.received.length], ['request_in_progress', 2]);
  const busy = await clientOf(t, [failure(429, 'session_busy'), { body: { ticket: 'any' } }]);
  t.is((await busy.client.sessions.stream(session, ticket)).ticket, 'any');
});

test('a repeated deletion of what the first attempt deleted has done it', async (t) => {
  const gone = failure(404, 'not_found');
  for (const lost of [{ breaks: true }, failure(504, 'timeout')]) {
    const { client, received } = await clientOf(t, [lost, gone]);
    const id = 'file-1';
    t.deepEqual(await client.files.remove(id), { id, object: 'file', deleted: true });
    t.deepEqual(
      received.map(({ method, path }) => `${method} ${path}`),
      Array(2).fill('DELETE /v1/files/file-1'),
    );
  }
  const batches = await clientOf(t, [{ breaks: true }, gone]);
  const deleted = { id: 'batch_1', object: 'batch', deleted: true } as const;
  t.deepEqual(await batches.client.batches.remove('batch_1'), deleted);
  const instanceOf = SpeechServiceError;
  for (const answers of [[gone], [failure(429, 'rate_limited'), gone]]) {
    const { client } = await clientOf(t, answers);
    const error = await t.throwsAsync(() => client.files.remove('none'), { instanceOf });
    t.is(error?.code, 'not_found', 'no attempt can have deleted it');
  }
  const { client } = await clientOf(t, [{ breaks: true }, { status: 404, body: '<html>' }]);
  const error = await t.throwsAsync(() => client.files.remove('file-1'), { instanceOf });
  t.is(error?.code, 'unknown', 'a page of a proxy');
});

test('a rejection is an error with its code, field and id, and is not repeated', async (t) => {
  const rejected = await clientOf(t, [failure(400, 'audio_too_long')]);
  const error = await t.throwsAsync(() => rejected.client.audio.emotion(recording), {
    instanceOf: SpeechServiceError,
    message: 'It is audio_too_long.',
  });
  const { status, code, requestId, isRejection } = error!;
  t.deepEqual([status, code, requestId, isRejection], [400, 'audio_too_long', 'r-1', true]);
  t.is(rejected.received.length, 1);
  const detail = [{ loc: ['body', 'file'], msg: 'Too short.', type: 'audio_too_short' }];
  const { client } = await clientOf(t, [{ status: 422, body: { detail } }]);
  const classified = await t.throwsAsync(() => client.audio.resonance2(recording, {}), {
    instanceOf: SpeechServiceError,
  });
  t.deepEqual([classified?.code, classified?.param], ['audio_too_short', 'file']);
});

test('a page of a proxy and a closed port are errors that say so', async (t) => {
  const page = { status: 404, headers: { 'X-Request-ID': 'p-1' }, body: '<html>' };
  const { client } = await clientOf(t, [page]);
  const error = await t.throwsAsync(() => client.models(), { instanceOf: SpeechServiceError });
  t.deepEqual([error?.status, error?.code, error?.requestId], [404, 'unknown', 'p-1']);
  const retries = { maxFailures: 0 };
  const nobody = createSpeechClient({ baseUrl: 'http://127.0.0.1:9', apiKey: 'k', retries });
  const gone = await t.throwsAsync(() => nobody.models(), { instanceOf: SpeechServiceError });
  t.deepEqual([gone?.status, gone?.code], [0, 'unreachable']);
  t.regex(gone!.message, /no answer from http:\/\/127\.0\.0\.1:9: /);
  t.throws(() => createSpeechClient({ baseUrl: 'localhost', apiKey: 'k' }), {
    message: /must be an http or https URL/,
  });
});

test('a signal ends the call with its reason, also between two attempts', async (t) => {
  const { client, received } = await clientOf(t, [failure(429, 'rate_limited')]);
  const stop = new AbortController();
  const call = client.models({ signal: stop.signal });
  while (received.length === 0) await new Promise(setImmediate);
  stop.abort(new Error('enough'));
  await t.throwsAsync(() => call, { message: 'enough' });
});

test('a recording that is a stream is sent while it is read, and read again', async (t) => {
  const { client, received } = await clientOf(t, [
    failure(503, 'not_ready'),
    { body: { id: 'file-1' } },
  ]);
  let readings = 0;
  async function* data() {
    readings += 1;
    yield new Uint8Array([1, 2]);
    yield new Uint8Array([3]);
  }
  const name = 'a "b".pcm';
  await client.files.upload(
    { name, data, type: 'audio/pcm' },
    { idempotencyKey: 'one', expiresAfterSeconds: 3_600 },
  );
  t.is(readings, 2);
  const { headers, body } = received[1]!;
  t.is(headers['idempotency-key'], 'one');
  t.is(headers['transfer-encoding'], 'chunked');
  const form = await new Response(new Uint8Array(body), {
    headers: { 'Content-Type': headers['content-type']! },
  }).formData();
  const file = form.get('file') as File;
  t.deepEqual([file.type, file.size], ['audio/pcm', 3]);
  t.is(file.name.replaceAll('%22', '"'), name);
  t.is(form.get('expires_after[seconds]'), '3600');
  t.is(form.get('expires_after[anchor]'), 'created_at');
});

test('an empty field or id, which the service takes for one left out, is refused', async (t) => {
  const { client, received } = await clientOf(t, [{ body: {} }]);
  const { audio, files, batches } = client;
  for (const redact of ['', ' , ']) {
    await t.throwsAsync(() => audio.analysis(recording, { redact }), {
      message: /^redact is empty/,
    });
  }
  await t.throwsAsync(() => audio.emotion(recording, {}, { requestId: '' }), {
    message: 'X-Request-ID must not be empty',
  });
  const idempotencyKey = '';
  await t.throwsAsync(() => files.upload(recording, { idempotencyKey }), {
    message: 'Idempotency-Key must not be empty',
  });
  const run = { order: { task: 'emotion' }, recordings: [{ customId: 'a', recording }] } as const;
  await t.throwsAsync(() => batches.run(run, { idempotencyKey }), {
    message: 'idempotencyKey must not be empty',
  });
  t.is(received.length, 0);
});

test('what fits no header is refused; a line break after the key is none of it', async (t) => {
  const { baseUrl, received } = await scriptedServer(t, [{ body: {} }]);
  const client = createSpeechClient({ baseUrl, apiKey: 'svc_1\n' });
  await client.models();
  t.is(received[0]!.headers.authorization, 'Bearer svc_1');
  const message = 'X-Request-ID must be visible ASCII characters';
  for (const requestId of ['a\nb', 'a b', 'é']) {
    await t.throwsAsync(() => client.audio.emotion(recording, {}, { requestId }), { message });
  }
  for (const [apiKey, what] of [
    [' \n', 'not be empty'],
    ['clé‐', 'be visible ASCII characters'],
  ] as const) {
    t.throws(() => createSpeechClient({ baseUrl, apiKey }), { message: `apiKey must ${what}` });
  }
  t.is(received.length, 1);
});
