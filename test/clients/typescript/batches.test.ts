// Batches through the client: streamed answers that break, progress, runs that are repeated.
import { setTimeout } from 'node:timers/promises';
import test from 'ava';
import { createSpeechClient } from '../../../clients/typescript/src/client.ts';
import { linesOf } from '../../../clients/typescript/src/lines.ts';
import { scriptedServer } from '../../support/scripted-server.ts';

const line = (index: number) => `${JSON.stringify({ index, custom_id: `c${index}` })}\n`;

test('results go on after a broken connection, none twice, none lost', async (t) => {
  const { baseUrl, received } = await scriptedServer(t, [
    { body: line(0) + line(1) + line(2).slice(0, 9), breaks: true },
    { body: line(0) + line(1) + line(2) + line(3).trim() },
  ]);
  const { batches } = createSpeechClient({ baseUrl, apiKey: 'k' });
  const seen: string[] = [];
  for await (const { custom_id: id } of batches.results('batch_1')) seen.push(id);
  t.deepEqual(seen, ['c0', 'c1', 'c2', 'c3']);
  t.deepEqual(
    received.map(({ path }) => path),
    Array.from({ length: 2 }, () => '/v1/batches/batch_1/results'),
  );
});

test.serial('a line in many blocks is searched once', async (t) => {
  const text = `a\r\n${'b'.repeat(1_000)}\u2028\n\nc\rd`;
  const data = new TextEncoder().encode(text);
  const split = Object.getOwnPropertyDescriptor(String.prototype, 'split')!;
  let searched = 0;
  const counted = {
    ...split,
    value(this: string, ...args: readonly unknown[]) {
      searched += this.length;
      return Reflect.apply(split.value, this, args);
    },
  };
  t.teardown(() => Object.defineProperty(String.prototype, 'split', split));
  for (const size of [1, 7, data.length]) {
    const blocks = Array.from({ length: Math.ceil(data.length / size) }, (_, i) =>
      data.subarray(i * size, (i + 1) * size),
    );
    searched = 0;
    Object.defineProperty(String.prototype, 'split', counted);
    const found: string[] = [];
    for await (const each of linesOf(new Response(ReadableStream.from(blocks)))) found.push(each);
    Object.defineProperty(String.prototype, 'split', split);
    t.deepEqual(found, ['a', `${'b'.repeat(1_000)}\u2028`, '', 'c\rd']);
    t.is(searched, text.length, `blocks of ${size}`);
  }
});

test('events are read to the end of the batch, over two connections', async (t) => {
  const event = (status: string) =>
    `event: batch\nid: 1\ndata: ${JSON.stringify({ status })}\n\n:\n\n`;
  const { baseUrl } = await scriptedServer(t, [
    { body: `retry: 1000\n\n${event('in_progress')}` },
    { body: event('finalizing') + event('completed') + event('completed') },
  ]);
  const { batches } = createSpeechClient({ baseUrl, apiKey: 'k' });
  const seen: string[] = [];
  for await (const { status } of batches.events('batch_1')) seen.push(status);
  t.deepEqual(seen, ['in_progress', 'finalizing', 'completed']);
});

test('a file by address is named once, whatever its key repeats', async (t) => {
  const { baseUrl, received } = await scriptedServer(t, [{ status: 503 }, { body: { id: 'f0' } }]);
  const { files } = createSpeechClient({ baseUrl, apiKey: 'k' });
  const url = 's3://calls/1.wav';
  const options = { filename: 'one.wav', expiresAfterSeconds: 7_200, idempotencyKey: 'monday' };
  t.is((await files.fromAddress(url, options)).id, 'f0');
  const expires = { anchor: 'created_at', seconds: 7_200 };
  const order = { source: { url }, filename: 'one.wav', expires_after: expires };
  for (const { path, headers, body } of received) {
    t.is(path, '/v1/files');
    t.is(headers['idempotency-key'], 'monday');
    t.deepEqual(JSON.parse(String(body)), order);
  }
  t.is(received.length, 2);
});

test('a run uploads side by side, names its items, and reports both phases', async (t) => {
  const counts = { total: 3, completed: 3, failed: 0, cancelled: 0 };
  const { baseUrl, received } = await scriptedServer(t, [
    ...['f0', 'f1', 'f2'].map((id) => ({ body: { id } })),
    { status: 202, body: { id: 'b1', status: 'validating', request_counts: counts } },
    { body: { id: 'b1', status: 'in_progress', request_counts: counts } },
    { body: { id: 'b1', status: 'completed', request_counts: counts } },
  ]);
  const { batches } = createSpeechClient({ baseUrl, apiKey: 'k' });
  const phases: string[] = [];
  const batch = await batches.run(
    {
      order: { task: 'analysis' },
      recordings: ['a', 'b', 'c'].map((customId) => ({
        customId,
        recording: { name: `${customId}.wav`, data: new Uint8Array([1]) },
        ...(customId === 'b' && { metadata: { team: 'north' } }),
      })),
    },
    {
      idempotencyKey: 'monday',
      concurrency: 1,
      pollMs: 1,
      onProgress: ({ phase }) => phases.push(phase),
    },
  );
  t.is(batch.status, 'completed');
  t.deepEqual(
    received.slice(0, 4).map(({ headers }) => headers['idempotency-key']),
    ['monday/0', 'monday/1', 'monday/2', 'monday'],
  );
  t.deepEqual(JSON.parse(received[3]!.body.toString()), {
    task: 'analysis',
    items: [
      { custom_id: 'a', file_id: 'f0' },
      { custom_id: 'b', file_id: 'f1', metadata: { team: 'north' } },
      { custom_id: 'c', file_id: 'f2' },
    ],
  });
  t.deepEqual(phases, ['uploading', 'uploading', 'uploading', 'analysing', 'analysing']);
});

test('once an upload is rejected, the others are not begun', async (t) => {
  const sent: string[] = [];
  const answer: typeof fetch = async (_, init) => {
    const index = new Headers(init?.headers).get('Idempotency-Key')!.split('/')[1]!;
    sent.push(index);
    if (index !== '0') await setTimeout(20, null, { signal: init!.signal! });
    const error = { code: 'unsupported_audio', message: 'It is no audio.' };
    return index === '0'
      ? Response.json({ error }, { status: 400 })
      : Response.json({ id: 'file-1' });
  };
  const { batches } = createSpeechClient({
    baseUrl: 'http://s.example',
    apiKey: 'k',
    fetch: answer,
  });
  const recordings = Array.from({ length: 100 }, (_, i) => {
    return { customId: `${i}`, recording: { name: `${i}.wav`, data: new Blob(['sound']) } };
  });
  const order = { task: 'analysis' } as const;
  const rejected = batches.run({ order, recordings }, { concurrency: 4 });
  await t.throwsAsync(rejected, { message: /It is no audio/ });
  await setTimeout(100);
  t.deepEqual(sent, ['0', '1', '2', '3']);
});

test('an event whose metadata has line separators of Unicode is an event', async (t) => {
  const data = JSON.stringify({ status: 'completed', metadata: { note: 'a\u2028b\u2029c' } });
  const { baseUrl } = await scriptedServer(t, [{ body: `event: batch\ndata: ${data}\n\n` }]);
  const { batches } = createSpeechClient({ baseUrl, apiKey: 'k' });
  const notes: string[] = [];
  for await (const { metadata } of batches.events('batch_1')) notes.push(metadata['note']!);
  t.deepEqual(notes, ['a\u2028b\u2029c']);
});
