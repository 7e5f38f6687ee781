// Connections that send nothing or read nothing are closed, and take no slot from others.
import { once } from 'node:events';
import type { Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import test from 'ava';
import Koa from 'koa';
import type { ConnectionLimits } from '../../../api/http/connections.ts';
import type { RequestState } from '../../../api/http/request-state.ts';
import { createHttpServer } from '../../../api/http/server.ts';
import { endSlowReaders, assessReader } from '../../../api/http/slow-readers.ts';
import type { Cleanup } from '../../support/cleanup.ts';

/** Answers `/` at once, `/held` on a signal, and `/endless` for ever. */
async function server(t: Cleanup, connections?: ConnectionLimits) {
  const app = new Koa<RequestState>();
  const held = Promise.withResolvers<void>();
  app.silent = true;
  app.use(async (ctx) => {
    if (ctx.path === '/held') await held.promise;
    ctx.body = ctx.path === '/endless' ? endless() : 'ok';
  });
  const http: Server = createHttpServer(app, connections && { connections });
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  const { port } = http.address() as AddressInfo;
  t.teardown(() => {
    held.resolve();
    http.closeAllConnections();
    http.close();
  });
  return { http, port, release: held.resolve };
}

function endless(): Readable {
  const block = Buffer.alloc(65_536);
  return new Readable({
    read() {
      this.push(block);
    },
  });
}

/** A peer that keeps its side open whatever the server does. */
async function peer(t: Cleanup, port: number): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  socket.on('error', () => {});
  t.teardown(() => void socket.destroy());
  await once(socket, 'connect');
  return socket;
}

const closed = (socket: Socket): Promise<unknown> =>
  socket.destroyed ? Promise.resolve() : once(socket, 'close');

/** The server has closed its side. */
function gone(socket: Socket): Promise<unknown> {
  if (socket.readableEnded || socket.destroyed) return Promise.resolve();
  socket.resume();
  return Promise.race([once(socket, 'end'), once(socket, 'close')]);
}

async function ask(socket: Socket, path = '/'): Promise<string> {
  socket.write(`GET ${path} HTTP/1.1\r\nHost: test\r\n\r\n`);
  const [data] = (await once(socket, 'data')) as [Buffer];
  return data.toString();
}

test('a rejected connection is closed even if its peer never closes', async (t) => {
  const { http, port } = await server(t);
  const accepted = once(http, 'connection') as Promise<[Socket]>;
  const socket = await peer(t, port);
  const [serverSide] = await accepted;
  socket.write('NOT HTTP AT ALL\r\n\r\n');
  const [answer] = (await once(socket, 'data')) as [Buffer];
  t.regex(answer.toString(), /^HTTP\/1\.1 400 [^]*"code":"invalid_field"/);
  await closed(serverSide);
  t.pass();
});

test('a refused request is answered while its client still sends', async (t) => {
  const { http, port } = await server(t);
  const broken: boolean[] = [];
  http.on('clientError', (_error, socket) => broken.push(socket.destroyed));
  const socket = await peer(t, port);
  const errors: Error[] = [];
  socket.on('error', (error) => errors.push(error));
  const answer = text(socket);
  const head = `POST / HTTP/1.1\r\nHost: test\r\nX-A: ${'a'.repeat(20_000)}\r\n\r\n`;
  socket.write(Buffer.concat([Buffer.from(head), Buffer.alloc(1_000_000)]));
  t.regex(await answer, /^HTTP\/1\.1 431 [^]*"code":"headers_too_large"[^]*\}$/);
  t.true(broken.length > 1, 'each block is refused');
  t.false(broken.includes(true));
  t.deepEqual(errors, []);
});

test('beyond a limit the longest silent connection ends, then the longest idle', async (t) => {
  const { port } = await server(t, { max: 3, maxPerAddress: 3 });
  const rested = await peer(t, port);
  t.regex(await ask(rested), /200 OK/);
  const silent = await peer(t, port);
  const held = await peer(t, port);
  held.write('GET /held HTTP/1.1\r\nHost: test\r\n\r\n');
  const newcomer = await peer(t, port);
  t.regex(await ask(newcomer), /200 OK/);
  await gone(silent);
  const second = await peer(t, port);
  t.regex(await ask(second), /200 OK/);
  await gone(rested);
  t.false(held.destroyed || newcomer.destroyed);
});

test('when every connection is being answered, the new one is closed', async (t) => {
  const { http, port, release } = await server(t, { max: 2, maxPerAddress: 1 });
  const held = await peer(t, port);
  const requested = once(http, 'request');
  held.write('GET /held HTTP/1.1\r\nHost: test\r\n\r\n');
  await requested;
  const late = await peer(t, port);
  await gone(late);
  const answered = once(held, 'data') as Promise<[Buffer]>;
  release();
  t.regex((await answered)[0].toString(), /200 OK/);
});

test('a connection is idle when the last of its requests is answered', async (t) => {
  const { http, port } = await server(t, { max: 1, maxPerAddress: 1 });
  const requested = once(http, 'request');
  const held = await peer(t, port);
  held.write('GET / HTTP/1.1\r\nHost: test\r\n\r\nGET /held HTTP/1.1\r\nHost: test\r\n\r\n');
  await requested;
  await once(held, 'data');
  const late = await peer(t, port);
  await gone(late);
  t.false(held.readableEnded || held.destroyed);
});

test('a reader’s speed is measured only while data is waiting for it', (t) => {
  const limits = { spanMs: 100, minBytes: 10 };
  const at = (nowMs: number, consumedBytes: number, pendingBytes = 1) => ({
    ...{ nowMs, consumedBytes, pendingBytes },
  });
  const begun = assessReader(null, at(0, 5), limits);
  t.deepEqual(begun, { startedAtMs: 0, consumed: 5 });
  if (begun === 'too slow') return t.fail();
  t.is(assessReader(begun, at(99, 5), limits), begun);
  t.is(assessReader(begun, at(100, 14), limits), 'too slow');
  t.deepEqual(assessReader(begun, at(100, 15), limits), { startedAtMs: 100, consumed: 15 });
  t.is(assessReader(begun, at(500, 5, 0), limits), null, 'it has taken everything');
  t.deepEqual(assessReader(null, at(500, 5), limits), { startedAtMs: 500, consumed: 5 });
});

test('a client that reads nothing of an answer is cut off, and the answer stops', async (t) => {
  const { http, port } = await server(t);
  endSlowReaders(http, { spanMs: 300, minBytes: 1 });
  const accepted = once(http, 'connection') as Promise<[Socket]>;
  const socket = await peer(t, port);
  const [serverSide] = await accepted;
  socket.pause();
  socket.write('GET /endless HTTP/1.1\r\nHost: test\r\n\r\n');
  await closed(serverSide);
  t.pass();
});
