// A refused body may still be on its way: whoever sends it can send all of it, and read the answer.
import { once } from 'node:events';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import test from 'ava';
import Koa from 'koa';
import { errorEnvelope } from '../../../api/http/middleware/error-envelope.ts';
import type { RequestState } from '../../../api/http/request-state.ts';
import { createHttpServer } from '../../../api/http/server.ts';
import { createLogger } from '../../../bin/process/logger.ts';
import type { Cleanup } from '../../support/cleanup.ts';

const mebibyte = 2 ** 20;
const block = Buffer.alloc(mebibyte);

const head = (version: string, ...headers: readonly string[]): string =>
  [`POST /refused HTTP/${version}`, 'Host: test', ...headers, '', ''].join('\r\n');

/** Refuses all requests: there are no routes. */
async function server(t: Cleanup) {
  const handled: string[] = [];
  const app = new Koa<RequestState>();
  app.use((ctx, next) => {
    handled.push(ctx.path);
    return next();
  });
  app.use(errorEnvelope(createLogger('api', 'error', process.stderr)));
  const http = createHttpServer(app);
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  t.teardown(() => {
    http.closeAllConnections();
    http.close();
  });
  const open = async (): Promise<{ client: Socket; connection: Socket }> => {
    const { port } = http.address() as AddressInfo;
    const client = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    t.teardown(() => void client.destroy());
    const [connection] = (await once(http, 'connection')) as [Socket];
    return { client, connection };
  };
  return { http, handled, open };
}

/** Sends without reading, as clients do that wait for the end of their body. @returns what broke */
async function send(client: Socket, bytes: number): Promise<string | null> {
  const broken = Promise.withResolvers<string>();
  client.on('error', ({ message }) => broken.resolve(message));
  for (let sent = 0; sent < bytes; sent += block.length) {
    const written = new Promise<null>((resolve) => client.write(block, () => resolve(null)));
    const error = await Promise.race([written, broken.promise]);
    if (error !== null) return error;
  }
  return null;
}

test('a body that is refused can be sent to its end, and its answer be read', async (t) => {
  const { open } = await server(t);
  const length = `Content-Length: ${32 * mebibyte}`;
  for (const [name, first] of [
    ['keep-alive', head('1.1', length)],
    ['close', head('1.1', 'Connection: close', length)],
    ['HTTP/1.0', head('1.0', length)],
    ['HTTP/1.0, kept alive', head('1.0', 'Connection: keep-alive', length)],
  ] as const) {
    const { client } = await open();
    client.write(first);
    t.is(await send(client, 32 * mebibyte), null, name);
    client.end();
    t.regex(await text(client), /^HTTP\/1\.1 404 [^]*"not_found"/, name);
  }
});

test('the same holds where the service closes the connection, as one that leaves', async (t) => {
  const { http, handled, open } = await server(t);
  http.prependListener('request', (_request, response) => {
    response.shouldKeepAlive = false;
  });
  const { client, connection } = await open();
  const closed = once(connection, 'close');
  client.write(head('1.1', `Content-Length: ${32 * mebibyte}`));
  t.is(await send(client, 31 * mebibyte), null);
  client.write(Buffer.concat([block, Buffer.from(head('1.1', 'Content-Length: 0'))]));
  t.regex(await text(client), /^HTTP\/1\.1 404 [^]*Connection: close[^]*"not_found"/);
  await closed;
  t.is(handled.length, 1, 'nothing is handled after the answer that closes the connection');
});

test('the answer ends at once, whatever of the body is still to come', async (t) => {
  const { open } = await server(t);
  const { client, connection } = await open();
  client.write(head('1.1', 'Connection: close', `Content-Length: ${32 * mebibyte}`));
  t.regex(await text(client), /^HTTP\/1\.1 404 [^]*"not_found"/);
  t.false(connection.destroyed, 'the rest is read');
  client.end(block);
  await once(connection, 'close');
});

test('a refused body that does not end is cut off', async (t) => {
  const { open } = await server(t);
  for (const connection of ['keep-alive', 'close']) {
    const { client } = await open();
    client.write(head('1.1', `Connection: ${connection}`, 'Content-Length: 999999999'));
    t.not(await send(client, 96 * mebibyte), null, connection);
  }
});
