// Uploads by hand: limits while streaming, broken bodies, slow callers and callers that vanish.
import test from 'ava';
import { watchUpload } from '../../../api/http/deadlines.ts';
import { postHead, sendRaw } from '../../support/raw-http.ts';
import { countOpenUploads } from '../../support/object-store.ts';
import { silence, toWav } from '../../support/speech.ts';
import { testStack } from '../../support/stack.ts';
import { settledTraces } from '../../support/traces.ts';
import { until } from '../../support/until.ts';

const type = 'multipart/form-data; boundary=b';
const partHead = '--b\r\nContent-Disposition: form-data; name="file"; filename="a.wav"\r\n\r\n';
const maxBodyBytes = 30 * 2 ** 20 + 65_536;

function code(body: string): string {
  return JSON.parse(body).error.code as string;
}

test('broken bodies have distinct errors', async (t) => {
  const stack = await testStack(t, { worker: false });
  const wav = toWav(silence(1));
  const whole = Buffer.concat([Buffer.from(partHead), wav, Buffer.from('\r\n--b--\r\n')]);
  const cases: readonly (readonly [string, Record<string, string | number>, Buffer, string])[] = [
    ['not multipart', { 'Content-Type': 'application/json' }, Buffer.from('{}'), '415'],
    ['no content type', {}, Buffer.from('x'), '415'],
    ['no boundary', { 'Content-Type': 'multipart/form-data' }, whole, '400 invalid_multipart'],
    [
      'no closing boundary',
      { 'Content-Type': type },
      whole.subarray(0, -9),
      '400 invalid_multipart',
    ],
    ['an empty body', { 'Content-Type': type }, Buffer.alloc(0), '400'],
    ['garbage', { 'Content-Type': type }, Buffer.from('garbage'), '400 invalid_multipart'],
    ['another boundary', { 'Content-Type': `${type}c` }, whole, '400'],
  ];
  for (const [name, headers, body, expected] of cases) {
    const head = postHead(stack.account.key, { ...headers, 'Content-Length': body.length });
    const answer = await sendRaw(stack.base, [head, body]);
    t.true(`${answer.status} ${code(answer.body)}`.startsWith(expected), `${name}: ${answer.body}`);
  }
  t.deepEqual(await settledTraces(stack), { debits: [], objectKeys: [], objectRows: 0 });
});

test('a declared body over the limit is rejected unread, also with 100-continue', async (t) => {
  const stack = await testStack(t, { worker: false });
  const headers = { 'Content-Type': type, 'Content-Length': maxBodyBytes + 1 };
  const plain = await sendRaw(stack.base, [postHead(stack.account.key, headers)]);
  t.is(plain.status, 413);
  t.is(code(plain.body), 'body_too_large');
  const expecting = { ...headers, Expect: '100-continue' };
  const requested = await sendRaw(stack.base, [postHead(stack.account.key, expecting)]);
  t.is(requested.status, 413);
  const unknown = await sendRaw(stack.base, [postHead('nobody', expecting)]);
  t.is(unknown.status, 401);
});

test('a file or body that grows over the limit is cut off and leaves nothing', async (t) => {
  const stack = await testStack(t, { worker: false });
  const head = postHead(stack.account.key, {
    'Content-Type': type,
    'Transfer-Encoding': 'chunked',
    Connection: 'close',
  });
  const chunk = (bytes: Buffer) =>
    Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')]);
  const wav = toWav(silence(1));
  const mebibyte = chunk(Buffer.alloc(2 ** 20));
  const blocks = [head, chunk(Buffer.concat([Buffer.from(partHead), wav]))];
  const answer = await sendRaw(stack.base, [...blocks, ...Array<Buffer>(31).fill(mebibyte)]);
  t.is(answer.status, 413);
  t.true(['file_too_large', 'body_too_large'].includes(code(answer.body)));
  t.deepEqual(await settledTraces(stack), { debits: [], objectKeys: [], objectRows: 0 });
});

test('the limit of a model applies as soon as the form names it', async (t) => {
  const stack = await testStack(t, { worker: false });
  const head = postHead(stack.account.key, {
    'Content-Type': type,
    'Transfer-Encoding': 'chunked',
  });
  const chunk = (bytes: Buffer) =>
    Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')]);
  for (const model of ['svc-svceet', 'svc-spectra-2']) {
    const field = `--b\r\nContent-Disposition: form-data; name="model"\r\n\r\n${model}\r\n`;
    const start = Buffer.concat([Buffer.from(field + partHead), toWav(silence(1))]);
    // Six mebibytes, and no end.
    const rest = Array<Buffer>(6).fill(chunk(Buffer.alloc(2 ** 20)));
    const answer = await sendRaw(stack.base, [head, chunk(start), ...rest]);
    t.is(`${answer.status} ${code(answer.body)}`, '413 body_too_large', model);
  }
  t.deepEqual(await settledTraces(stack), { debits: [], objectKeys: [], objectRows: 0 });
});

test('a body of empty parts is rejected after some, and a part needs a name', async (t) => {
  const stack = await testStack(t, { worker: false });
  const send = (body: string) =>
    sendRaw(stack.base, [
      postHead(stack.account.key, { 'Content-Type': type, 'Content-Length': body.length }),
      body,
    ]);
  const flood = await send(`${'--b\r\n\r\n\r\n'.repeat(150_000)}--b--\r\n`);
  t.is(`${flood.status} ${code(flood.body)}`, '400 invalid_multipart');
  t.regex(flood.body, /more than 128 parts/);
  for (const value of ['x', 'x'.repeat(5_000)]) {
    const part = `--b\r\nContent-Disposition: form-data\r\n\r\n${value}\r\n--b--\r\n`;
    const nameless = await send(part);
    t.is(`${nameless.status} ${code(nameless.body)}`, '400 invalid_multipart');
  }
});

test('a caller that vanishes during the upload leaves nothing', async (t) => {
  const stack = await testStack(t, { worker: false });
  const headers = { 'Content-Type': type, 'Content-Length': 20 * 2 ** 20 };
  const part = Buffer.concat([Buffer.from(partHead), toWav(silence(1))]);
  const blocks = [postHead(stack.account.key, headers), part, Buffer.alloc(12 * 2 ** 20)];
  const storing = () => until(() => countOpenUploads(stack.objects));
  await sendRaw(stack.base, blocks, { hangUpAfter: storing });
  t.deepEqual(await settledTraces(stack), { debits: [], objectKeys: [], objectRows: 0 });
  t.is(await countOpenUploads(stack.objects), 0);
});

test('headers that are not HTTP get the envelope', async (t) => {
  const { base } = await testStack(t, { worker: false });
  const answer = await sendRaw(base, ['NOT HTTP AT ALL\r\n\r\n']);
  t.is(answer.status, 400);
  t.is(code(answer.body), 'invalid_field');
  t.regex(answer.head, /x-request-id: [0-9a-f-]{36}/i);
});

test('an upload that stalls or trickles is aborted', async (t) => {
  const limits = { idleMs: 80, totalMs: 10_000, minBytesPerSecond: 1_000, graceMs: 100 };
  const still = await new Promise<Error>((resolve) => void watchUpload(limits, resolve));
  t.regex(still.message, /too slow/);
  const trickling = new Promise<Error>((resolve) => {
    const clock = watchUpload(limits, resolve);
    const timer = setInterval(() => clock.received(1), 20);
    t.teardown(() => clearInterval(timer));
  });
  t.regex((await trickling).message, /too slow/);
});
