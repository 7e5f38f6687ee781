// Requests that come before the last answer wait for it, and a connection holds few of them.
import { once } from 'node:events';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import test from 'ava';
import Koa from 'koa';
import type { RequestState } from '../../../api/http/request-state.ts';
import { createHttpServer } from '../../../api/http/server.ts';
import type { Cleanup } from '../../support/cleanup.ts';

const get = (path: string, ...headers: readonly string[]): string =>
  [`GET ${path} HTTP/1.1`, 'Host: test', ...headers, '', ''].join('\r\n');

/** Answers `/events` by a stream that the test ends, and any other path at once. */
async function server(t: Cleanup) {
  const events = new PassThrough();
  const handled: string[] = [];
  const app = new Koa<RequestState>();
  app.silent = true;
  app.use((ctx) => {
    handled.push(ctx.path);
    ctx.body = ctx.path === '/events' ? events : `answer to ${ctx.path}`;
  });
  const http = createHttpServer(app);
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  const client = connect((http.address() as AddressInfo).port, '127.0.0.1');
  client.on('error', () => {});
  t.teardown(() => {
    client.destroy();
    http.closeAllConnections();
    http.close();
  });
  const [connection] = (await once(http, 'connection')) as [Socket];
  /** Resolves when that many requests have been read, of which one read may have several. */
  const read = async (count: number): Promise<void> => {
    const all = Promise.withResolvers<void>();
    let left = count;
    http.on('request', () => (left -= 1) === 0 && all.resolve());
    await all.promise;
  };
  return { client, connection, events, handled, read };
}

test('answers behind an open stream are made in turn when it ends', async (t) => {
  const { client, events, handled, read } = await server(t);
  const all = read(4);
  client.write(get('/events') + get('/a') + get('/b') + get('/c', 'Connection: close'));
  await all;
  t.deepEqual(handled, ['/events']);
  const answers = text(client);
  events.end('event');
  t.deepEqual((await answers).match(/event|answer to \/./g), [
    'event',
    ...['a', 'b', 'c'].map((path) => `answer to /${path}`),
  ]);
});

test('pipelined requests leave turns of the event loop to other connections', async (t) => {
  const { client, handled } = await server(t);
  const handledPerTurn: number[] = [];
  let before = 0;
  const count = (): void => {
    handledPerTurn.push(handled.length - before);
    before = handled.length;
    if (handled.length < 10) setImmediate(count);
  };
  setImmediate(count);
  client.write(get('/a').repeat(9) + get('/b', 'Connection: close'));
  await text(client);
  t.is(handled.length, 10);
  t.is(Math.max(...handledPerTurn), 1);
});

test('nothing is handled after an answer that closes the connection', async (t) => {
  const { client, handled } = await server(t);
  client.write(get('/a', 'Connection: close') + get('/b'));
  await text(client);
  t.deepEqual(handled, ['/a']);
});

test('a connection that has sent too many requests before an answer is closed', async (t) => {
  const { client, connection, handled } = await server(t);
  client.write(get('/events') + get('/a').repeat(100));
  await once(connection, 'close');
  t.deepEqual(handled, ['/events']);
});
