// What HTTP itself decides before a route does: upgrades, expectations, hosts, headers and methods.
import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import test from 'ava';
import { humeJobsPath } from '../../../api/hume-compatible/routes.ts';
import { errorEnvelopeSchema } from '../../../api/results/schemas.ts';
import type { Cleanup } from '../../support/cleanup.ts';
import { sendRaw } from '../../support/raw-http.ts';
import { testStack, type TestStack } from '../../support/stack.ts';

const h2c = 'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n';
const websocket =
  'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n' +
  'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n';

const head = (first: string, more = ''): string => `${first} HTTP/1.1\r\nHost: test\r\n${more}\r\n`;

/** A JSON POST by hand. @returns everything that arrives until `until` is seen */
async function exchange(
  t: Cleanup,
  { base, account }: TestStack,
  { headers, body, until }: { headers: string; body?: string; until: RegExp },
): Promise<string> {
  const socket = connect(Number(new URL(base).port), '127.0.0.1');
  t.teardown(() => void socket.destroy());
  const lines = [`Authorization: Bearer ${account.key}`, 'Content-Type: application/json', ''];
  const authorization = lines.join('\r\n');
  socket.write(head('POST /v1/audio/sessions', authorization + headers));
  let read = '';
  while (!until.test(read)) {
    const [data] = (await once(socket, 'data')) as [Buffer];
    read += data.toString();
    if (body !== undefined && read === 'HTTP/1.1 100 Continue\r\n\r\n') socket.write(body);
  }
  return read;
}

test('an upgrade that is not offered is ignored', async (t) => {
  const { base } = await testStack(t, { worker: false });
  for (const [first, more, status] of [
    ['GET /livez', h2c, 200],
    ['GET /livez', websocket, 200],
    ['GET /v1/nothing', websocket, 404],
    ['POST /v1/audio/transcriptions/stream', websocket, 405],
    ['GET /v1/audio/transcriptions/stream', h2c, 426],
    ['GET /v1/models', h2c, 401],
  ] as const) {
    const answer = await sendRaw(base, [head(first, more)]);
    t.is(answer.status, status, `${first} ${more}`);
    if (status !== 200) t.notThrows(() => errorEnvelopeSchema.parse(JSON.parse(answer.body)));
  }
});

test('a plain GET of a stream is told to upgrade, and can end its connection', async (t) => {
  const { base } = await testStack(t, { worker: false });
  const socket = connect(Number(new URL(base).port), '127.0.0.1');
  socket.write(head('GET /v1/audio/transcriptions/stream', 'Connection: close\r\n'));
  const answer = await text(socket);
  t.regex(answer, /^HTTP\/1\.1 426 /);
  t.regex(answer, /\r\nConnection: Upgrade, close\r\n/);
});

test('a JSON body is requested with 100-continue, unless its headers are rejected', async (t) => {
  const stack = await testStack(t, { worker: false });
  const expect = 'Expect: 100-continue\r\n';
  const rejected = await exchange(t, stack, {
    headers: `${expect}Content-Length: 9000\r\n`,
    until: /\r\n\r\n\{/,
  });
  t.regex(rejected, /^HTTP\/1\.1 413 [^]*body_too_large/);
  const answered = await exchange(t, stack, {
    headers: `${expect}Content-Length: 2\r\n`,
    body: '{}',
    until: /\r\n\r\n\{/,
  });
  t.regex(answered, /^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 400 [^]*missing_field/);
  const other = await exchange(t, stack, {
    headers: 'Expect: a-miracle\r\nContent-Length: 2\r\n',
    until: /\r\n\r\n\{/,
  });
  t.regex(other, /^HTTP\/1\.1 417 [^]*expectation_failed/);
});

test('a client of HTTP/1.0 is sent no 100, which it would take for the answer', async (t) => {
  const { base, account } = await testStack(t, { worker: false });
  const lines = [
    'POST /v1/client-token HTTP/1.0',
    `Authorization: Bearer ${account.key}`,
    'Content-Type: application/json',
    'Expect: 100-continue',
    'Content-Length: 2',
  ];
  t.is((await sendRaw(base, [`${lines.join('\r\n')}\r\n\r\n{}`])).status, 200);
});

test('a Host is a name or an address, and may have a port', async (t) => {
  const { base } = await testStack(t, { worker: false });
  for (const [host, status] of [
    ['', 200],
    ['a_b.example:', 200],
    ['[::1]:8080', 200],
    ['a, b', 400],
    ['u@a', 400],
    ['a/b', 400],
    ['a"><script>', 400],
    ['a:port', 400],
  ] as const) {
    const answer = await sendRaw(base, [`GET /livez HTTP/1.1\r\nHost: ${host}\r\n\r\n`]);
    t.is(answer.status, status, host);
    if (status === 200) continue;
    t.is(errorEnvelopeSchema.parse(JSON.parse(answer.body)).error.param, 'Host');
  }
});

test('malformed HTTP requests get the envelope and an id', async (t) => {
  const { base } = await testStack(t, { worker: false });
  for (const [text, status, code] of [
    ['GET /livez HTTP/1.1\r\n\r\n', 400, 'invalid_field'],
    [head('GET /livez', `X-Long: ${'x'.repeat(20_000)}\r\n`), 431, 'headers_too_large'],
    [head('CONNECT example.com:443'), 405, 'method_not_allowed'],
    [head('TRACE /livez'), 405, 'method_not_allowed'],
    [head('OPTIONS /v1/models'), 405, 'method_not_allowed'],
    [head('BREW /livez'), 400, 'invalid_field'],
    [head('GET http://elsewhere/v1/nothing'), 404, 'not_found'],
    [head('GET http://[::1/livez'), 400, 'invalid_field'],
    [head('GET //a@[#'), 404, 'not_found'],
    [head('GET /V1/models'), 404, 'not_found'],
    [head('POST /v1/Audio/emotions'), 404, 'not_found'],
  ] as const) {
    const answer = await sendRaw(base, [text]);
    const { error } = errorEnvelopeSchema.parse(JSON.parse(answer.body));
    t.is(`${answer.status} ${error.code}`, `${status} ${code}`, text.slice(0, 60));
    t.is(/x-request-id: (\S+)/i.exec(answer.head)?.[1], error.request_id ?? undefined);
    t.regex(answer.head, /x-content-type-options: nosniff/i);
  }
  t.is((await sendRaw(base, ['GET /livez HTTP/1.0\r\n\r\n'])).status, 200);
  t.is((await sendRaw(base, [head('GET http://elsewhere/livez')])).status, 200);
});

test('a body is sent whole or in chunks; a coding that nothing decodes is refused', async (t) => {
  const { base } = await testStack(t, { worker: false });
  for (const [coding, status] of [
    ['gzip, chunked', 400],
    ['identity, chunked', 400],
    ['chunked', 401],
    ['Chunked', 401],
  ] as const) {
    const first = head('POST /v1/client-token', `Transfer-Encoding: ${coding}\r\n`);
    const answer = await sendRaw(base, [`${first}0\r\n\r\n`]);
    const { error } = errorEnvelopeSchema.parse(JSON.parse(answer.body));
    t.is(answer.status, status, coding);
    if (status === 401) continue;
    t.like(error, { code: 'invalid_field', param: 'Transfer-Encoding' });
    t.is(error.message, `Transfer-Encoding takes chunked, got "${coding}".`);
  }
});

test('405 names the methods that are allowed, of CONNECT too', async (t) => {
  const { base } = await testStack(t, { worker: false });
  for (const [first, method] of [
    ['POST /livez', 'GET'],
    ['GET /v1/client-token', 'POST'],
    ['CONNECT example.com:443', 'POST'],
  ] as const) {
    const answer = await sendRaw(base, [head(first, 'Content-Length: 0\r\n')]);
    t.is(answer.status, 405, first);
    const [, allow = ''] = /^allow: (.+)$/im.exec(answer.head) ?? [];
    t.true(allow.split(', ').includes(method), `${first}: "${allow}"`);
  }
});

test('answers of the API are not cached, and no page can be framed', async (t) => {
  const { base } = await testStack(t, { worker: false });
  for (const path of ['/v1/models', '/openai/v1/models', humeJobsPath, `${humeJobsPath}/any`]) {
    const { status, headers } = await fetch(base + path);
    t.is(`${status} ${headers.get('cache-control')}`, '401 no-store', path);
  }
  for (const path of ['/docs', '/console']) {
    const { headers } = await fetch(base + path);
    t.regex(headers.get('content-security-policy') ?? '', /frame-ancestors 'none'/);
    t.is(headers.get('x-frame-options'), 'DENY');
    t.is(headers.get('x-content-type-options'), 'nosniff');
  }
});
