// OpenAI's own client against the service: formats, events, ids, charges and rejections.
import test from 'ava';
import OpenAI, { toFile } from 'openai';
import { speechResultSchema } from '../../api/results/schemas.ts';
import { speech, toWav } from '../support/speech.ts';
import { postFile, testStack, transcribe, type TestStack } from '../support/stack.ts';
import { settledTraces } from '../support/traces.ts';

test('OpenAI’s client transcribes in every format, each call charged once', async (t) => {
  const stack = await testStack(t);
  const wav = toWav(await speech('Please call me back tomorrow morning.'));
  const file = () => toFile(wav, 'call.wav');
  const baseURL = `${stack.base}/openai/v1`;
  const client = new OpenAI({ apiKey: stack.account.key, baseURL, maxRetries: 0 });
  const { transcriptions } = client.audio;
  const expected = speechResultSchema.parse((await transcribe(stack, wav)).body);
  const { text, usage } = expected;
  const charged = { type: 'duration', seconds: usage.billable_seconds } as const;

  const headers = { 'Idempotency-Key': 'call-1' };
  const json = await transcriptions
    .create({ file: await file(), model: 'whisper-1' }, { headers })
    .withResponse();
  t.deepEqual(json.data, { text: text!, usage: charged });
  t.is(json.request_id, 'call-1');
  const repeating = repeatingClient(stack);
  await t.throwsAsync(
    repeating.client.audio.transcriptions.create(
      { file: await file(), model: 'whisper-1' },
      { headers },
    ),
    { instanceOf: OpenAI.ConflictError, message: /has ended/ },
  );
  t.is(repeating.statuses.join(), '409');

  const plain = await transcriptions.create({
    file: await file(),
    model: 'svc-fourier',
    response_format: 'text',
  });
  t.is(plain as unknown as string, `${text}\n`);
  const srt = await transcriptions.create({
    file: await file(),
    model: 'whisper-1',
    response_format: 'srt',
  });
  t.regex(srt as unknown as string, /^1\n00:00:0/);

  const verbose = await transcriptions.create({
    file: await file(),
    model: 'whisper-1',
    response_format: 'verbose_json',
    timestamp_granularities: ['word', 'segment'],
  });
  t.is(verbose.language, 'english');
  t.is(verbose.duration, expected.duration);
  t.is(verbose.words?.map(({ word }) => word).join(' '), text!);
  t.is(verbose.segments?.map((segment) => segment.text).join(' '), text!);

  const events = await transcriptions.create({
    file: await file(),
    model: 'whisper-1',
    response_format: 'diarized_json',
    stream: true,
  });
  const seen: string[] = [];
  let spoken = '';
  for await (const event of events) {
    seen.push(event.type);
    if (event.type === 'transcript.text.delta') spoken += event.delta;
    if (event.type === 'transcript.text.done') t.is(spoken, event.text);
  }
  t.deepEqual(seen, ['transcript.text.delta', 'transcript.text.segment', 'transcript.text.done']);

  // LiveKit's plugin, then the bridge from Wyoming to Home Assistant, send these fields.
  const plugin = await transcriptions.create({
    file: await toFile(wav, 'file.wav', { type: 'audio/wav' }),
    model: 'whisper-1',
    language: 'en',
    prompt: 'A call to the office of Siobhan Kelly.',
    response_format: 'verbose_json',
  });
  t.deepEqual([plugin.text, plugin.language], [text!, 'english']);
  const bridge = await transcriptions.create({
    file: await toFile(wav, 'recording.wav'),
    model: 'whisper-1',
    language: 'en',
    temperature: 0,
    response_format: 'json',
    stream: true,
  });
  let heard = '';
  for await (const event of bridge)
    if (event.type === 'transcript.text.delta') heard += event.delta;
  t.is(heard, text!);
  t.deepEqual(await likeOpenWebUi(stack, wav), { text: text!, usage: charged });

  const listed: string[] = [];
  for await (const { id } of client.models.list()) listed.push(id);
  t.deepEqual(listed, ['whisper-1', 'svc-resonance', 'svc-fourier']);

  const left = await settledTraces(stack);
  t.deepEqual(
    left.debits,
    Array.from({ length: 9 }, () => charged.seconds),
  );
  t.deepEqual(left.objectKeys, []);
});

test('work that goes on after its deadline is not sent again under a new id', async (t) => {
  const stack = await testStack(t, { worker: false, answerDeadlineMs: 1 });
  const { client, statuses } = repeatingClient(stack);
  const file = await toFile(toWav(await speech('Hello.')), 'call.wav');
  const error = await t.throwsAsync(
    client.audio.transcriptions.create({ file, model: 'whisper-1' }),
    { instanceOf: OpenAI.InternalServerError },
  );
  t.deepEqual([error?.status, error?.code, statuses], [504, 'timeout', [504]]);
});

test('a rejection is an error of its class, leaves nothing and is not charged', async (t) => {
  const stack = await testStack(t, { worker: false });
  const wav = toWav(await speech('Hello.'));
  const client = new OpenAI({
    apiKey: stack.account.key,
    baseURL: `${stack.base}/openai/v1`,
    maxRetries: 0,
  });
  const file = await toFile(wav, 'call.wav');
  const transcriptions = client.audio.transcriptions;
  const rejected = await t.throwsAsync(
    () => transcriptions.create({ file, model: 'whisper-1', include: ['logprobs'] }),
    { instanceOf: OpenAI.BadRequestError },
  );
  t.is(rejected?.code, 'unknown_field');
  t.is(rejected?.param, 'include[]');
  const unknown = await t.throwsAsync(() => client.models.retrieve('gpt-4o-transcribe'), {
    instanceOf: OpenAI.NotFoundError,
  });
  t.is(unknown?.code, 'not_found');
  await t.throwsAsync(() => client.audio.translations.create({ file, model: 'whisper-1' }), {
    instanceOf: OpenAI.NotFoundError,
    message: /Translation is not supported/,
  });
  const twoIds = await postFile(stack, '/openai/v1/audio/transcriptions', {
    file: wav,
    requestId: 'one',
    headers: { 'Idempotency-Key': 'another' },
  });
  t.is(`${twoIds.status} ${twoIds.body.error.code}`, '400 invalid_field');
  const left = await settledTraces(stack);
  t.deepEqual([left.debits, left.objectKeys], [[], []]);
});

/** OpenAI's client as it is, which repeats requests, and the statuses of its answers. */
function repeatingClient({ base, account }: TestStack) {
  const statuses: number[] = [];
  const client = new OpenAI({
    apiKey: account.key,
    baseURL: `${base}/openai/v1`,
    fetch: async (...request) => {
      const response = await fetch(...request);
      // It also tries what the platform's `fetch` can do.
      if (response.url.startsWith(base)) statuses.push(response.status);
      return response;
    },
  });
  return { client, statuses };
}

/** As Open WebUI 0.12 sends it: in chunks of unknown length, the file last and without its type. */
async function likeOpenWebUi({ base, account }: TestStack, wav: Buffer): Promise<unknown> {
  const boundary = '6f1b7a0c';
  const part = (name: string, headers = ''): string =>
    `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${headers}\r\n\r\n`;
  const file = '; filename="3f0e.wav"\r\nContent-Type: application/octet-stream';
  async function* body() {
    yield Buffer.from(`${part('model')}whisper-1\r\n${part('language')}en\r\n`);
    yield Buffer.from(part('file', file));
    for (let at = 0; at < wav.length; at += 65_536) yield wav.subarray(at, at + 65_536);
    yield Buffer.from(`\r\n--${boundary}--\r\n`);
  }
  const answer = await fetch(`${base}/openai/v1/audio/transcriptions`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${account.key}`,
      'Content-Type': `multipart/form-data; boundary=${boundary}`,
    },
    body: body(),
    duplex: 'half',
  });
  return answer.json();
}
