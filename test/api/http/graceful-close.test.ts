// A server that ends cuts no answer off, and waits for no client that asks nothing.
import { once } from 'node:events';
import {
  Agent,
  createServer,
  request,
  type IncomingMessage,
  type RequestListener,
} from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { buffer, text } from 'node:stream/consumers';
import test from 'ava';
import { createGracefulClose } from '../../../api/http/graceful-close.ts';
import type { Cleanup } from '../../support/cleanup.ts';

/** Its idle connections stay open for ever. */
async function serve(t: Cleanup, handle: RequestListener) {
  const server = createServer({ keepAliveTimeout: 0 }, handle);
  const graceful = createGracefulClose(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const agent = new Agent({ keepAlive: true });
  t.teardown(() => {
    agent.destroy();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  const ask = async (path: string): Promise<IncomingMessage> => {
    const [response] = await once(request({ port, path, agent }).end(), 'response');
    return response as IncomingMessage;
  };
  return { server, port, ask, graceful };
}

test('answers in progress end their connections, and so do idle ones', async (t) => {
  const held = Promise.withResolvers<void>();
  const { server, ask, graceful } = await serve(t, (incoming, response) => {
    if (incoming.url === '/idle') return void response.end('idle');
    if (incoming.url === '/begun') response.write('begun, ');
    void held.promise.then(() => response.end('done'));
  });
  t.is(await text(await ask('/idle')), 'idle');
  const begun = await ask('/begun');
  const waiting = ask('/waiting');
  await once(server, 'request');
  const closed = once(server, 'close');
  graceful.leave();
  const late = await ask('/idle');
  t.is(late.headers.connection, 'close');
  t.is(await text(late), 'idle');
  graceful.close();
  held.resolve();
  t.is((await waiting).headers.connection, 'close');
  t.is(await text(await waiting), 'done');
  t.is(await text(begun), 'begun, done');
  await closed;
});

test('what a client has yet to read is not cut off, and no connection is accepted', async (t) => {
  const size = 20_000_000;
  const { server, port, ask, graceful } = await serve(t, ({ url }, response) => {
    response.end(url === '/large' ? Buffer.alloc(size) : 'idle');
  });
  await text(await ask('/idle'));
  const large = await ask('/large');
  const closed = once(server, 'close');
  graceful.close();
  const refused = connect(port, '127.0.0.1');
  const [error] = (await once(refused, 'error')) as [NodeJS.ErrnoException];
  t.is(error.code, 'ECONNREFUSED');
  t.is((await buffer(large)).length, size);
  await closed;
});
