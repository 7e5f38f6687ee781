// What the client makes of answers that take long, are a text, or are none of the service.
import test from 'ava';
import type {
  LiteResult,
  Spectra2Result,
  SpeechResult,
  TranscriptionRequest,
} from '../../../clients/typescript/src/schemas.ts';
import { createSpeechClient } from '../../../clients/typescript/src/client.ts';
import { SpeechServiceError } from '../../../clients/typescript/src/service-error.ts';
import type { Cleanup } from '../../support/cleanup.ts';
import { fakeClock } from '../../support/fake-clock.ts';
import { failure, scriptedServer, type ScriptedAnswer } from '../../support/scripted-server.ts';

const recording = { name: 'a.wav', data: new Uint8Array([1, 2, 3]) };

async function clientOf(t: Cleanup, answers: readonly ScriptedAnswer[]) {
  const { baseUrl, received } = await scriptedServer(t, answers);
  return { client: createSpeechClient({ baseUrl, apiKey: 'k' }), received };
}

test.serial('an attempt may take as long as the service takes for an answer', async (t) => {
  const advance = fakeClock(t);
  let signal = new AbortController().signal;
  const never: typeof fetch = (_, init) => {
    signal = init!.signal!;
    return new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason as Error));
    });
  };
  const retries = { maxFailures: 0 };
  const client = createSpeechClient({ baseUrl: 'http://any', apiKey: 'k', fetch: never, retries });
  const call = client.models();
  advance(301_000);
  t.false(signal.aborted);
  advance(29_000);
  const error = await t.throwsAsync(call, { instanceOf: SpeechServiceError });
  t.is(error?.code, 'unreachable');
});

test('a text is a string, whatever is in it, and JSON is its value', async (t) => {
  const headers = { 'Content-Type': 'text/plain; charset=utf-8' };
  const texts = ['Grüße, bitte.', '', '12'].map((body) => ({ headers, body }));
  const json = { headers: { 'Content-Type': 'application/json' }, body: { text: 'Hello.' } };
  const { client, received } = await clientOf(t, [...texts, json]);
  const fields = { model: 'svc-svceet', response_format: 'text' } as const;
  const first: string = await client.audio.transcription(recording, fields);
  const second: string = await client.audio.send('transcription', recording, fields);
  const third: string = await client.audio.transcription(recording, fields);
  t.deepEqual([first, second, third], ['Grüße, bitte.', '', '12']);
  // Other models answer JSON, and name the field that they ignore.
  const ignoring = await client.audio.transcription(recording, { response_format: 'text' });
  t.is(ignoring.text, 'Hello.');
  t.is(received.length, 4);
});

test('a success that is none of the service is an error, and not asked for again', async (t) => {
  const headers = { 'Content-Type': 'text/html', 'X-Request-ID': 'p-1' };
  const { client, received } = await clientOf(t, [{ headers, body: '<html>' }]);
  const error = await t.throwsAsync(() => client.audio.emotion(recording), {
    instanceOf: SpeechServiceError,
    message: 'The service answered 200 without JSON.',
  });
  t.like(error, { status: 200, code: 'unknown', requestId: 'p-1' });
  t.is(received.length, 1);
});

test('JSON that is none of the service is an error of its status alone', async (t) => {
  const detail = 'Not Found';
  for (const [status, body] of [
    [404, { detail }],
    [404, { detail: [detail] }],
    [401, { error: 'unauthorized' }],
    [403, { error: { message: 'upstream' } }],
    [409, { error: { code: 502, status: 'UNAVAILABLE' } }],
    [400, null],
  ] as const) {
    const { client, received } = await clientOf(t, [{ status, body: JSON.stringify(body) }]);
    const error = await t.throwsAsync(() => client.models(), { instanceOf: SpeechServiceError });
    const message = `The service answered ${status}.`;
    t.like(error, { status, code: 'unknown', message, param: null }, JSON.stringify(body));
    t.is(received.length, 1);
  }
});

test('a new secret of webhooks is asked for once, or again without capacity', async (t) => {
  const lost = await clientOf(t, [{ breaks: true }, { body: { secret: 'whsec_b' } }]);
  const error = await t.throwsAsync(() => lost.client.webhooks.createSecret(), {
    instanceOf: SpeechServiceError,
  });
  t.is(error?.code, 'unreachable');
  t.is(lost.received.length, 1);
  const busy = await clientOf(t, [failure(429, 'rate_limited'), { body: { secret: 'whsec_b' } }]);
  t.is((await busy.client.webhooks.createSecret()).secret, 'whsec_b');
});

test('the type of a result is that of every model which the types admit', async (t) => {
  const { client } = await clientOf(t, [{ body: { text: 'Hello.' } }]);
  const { audio } = client;
  const any: TranscriptionRequest = {};
  const one = { model: 'svc-resonance' as 'svc-resonance' | 'svc-spectra-2' } as const;
  const lite = { model: 'svc-svceet', response_format: 'json' as 'json' | 'text' } as const;
  const [plain, ofAny, ofOne, ofLite] = [
    await audio.transcription(recording),
    await audio.transcription(recording, any),
    await audio.transcription(recording, one),
    await audio.transcription(recording, lite),
  ] as const;
  const isSame: readonly [
    Same<typeof plain, SpeechResult>,
    Same<typeof ofAny, SpeechResult | Spectra2Result | LiteResult | string>,
    Same<typeof ofOne, SpeechResult | Spectra2Result>,
    Same<typeof ofLite, LiteResult | string>,
  ] = [true, true, true, true];
  t.deepEqual(isSame, [true, true, true, true]);
  const received: readonly unknown[] = [plain, ofAny, ofOne, ofLite];
  t.deepEqual(received, Array(4).fill({ text: 'Hello.' }));
});

/** Functions over all types are assignable only where their conditions are identical. */
type Same<One, Other> =
  (<Type>() => Type extends One ? 1 : 2) extends <Type>() => Type extends Other ? 1 : 2
    ? true
    : false;
