// A listener that leaves while its batch is looked up, or asks for headers alone, holds nothing.
import { once } from 'node:events';
import { createServer, get, type ServerResponse } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { mock } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import test from 'ava';
import { streamBatch } from '../../../api/batches/events.ts';

test('a connection that has closed before its events frees its slot', async (t) => {
  const server = createServer().listen(0, '127.0.0.1');
  t.teardown(() => void server.close());
  await once(server, 'listening');
  const client = get({ port: (server.address() as AddressInfo).port, host: '127.0.0.1' });
  client.on('error', () => {});
  const [req, res] = await once(server, 'request');
  const closed = once(res, 'close');
  client.destroy();
  await closed;

  let subscribed = 0;
  const subscribe = () => {
    subscribed += 1;
    return { start: () => {}, unsubscribe: () => void (subscribed -= 1) };
  };
  const ctx = { req, res, state: { account: {} } } as unknown as Parameters<typeof streamBatch>[0];
  let over = false;
  void streamBatch(ctx, { subscribe }, {} as Parameters<typeof streamBatch>[2]).then(() => {
    over = true;
  });
  await setImmediate();
  t.true(over);
  t.is(subscribed, 0);
});

test.serial('a client that does not read keeps nothing, and ends nobody else', async (t) => {
  mock.timers.enable({ apis: ['setInterval'] });
  t.teardown(() => mock.timers.reset());
  const ended = Promise.withResolvers<ServerResponse>();
  const server = createServer((req, res) => {
    const subscribe = (_account: unknown, end: () => void) => ({
      start: (_batch: unknown, send: (body: never) => void) => {
        for (let i = 0; i <= 1_000; i += 1) send({ i, text: 'x'.repeat(20_000) } as never);
        end();
        ended.resolve(res);
        send({ late: true } as never);
      },
      unsubscribe: () => {},
    });
    const ctx = { req, res, state: { account: {} } };
    void streamBatch(ctx as never, { subscribe }, {} as never);
  });
  server.listen(0, '127.0.0.1');
  t.teardown(() => void server.close());
  await once(server, 'listening');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  client.pause().write('GET / HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n');
  const res = await ended.promise;
  t.true(res.writableLength < 200_000, `${res.writableLength} bytes`);
  // As long as heartbeats have: nothing may be written behind the end.
  mock.timers.tick(60_000);
  await setImmediate();
  const read = await text(client);
  t.true(read.includes('"i":1000,'), 'the newest state');
  t.true(read.endsWith('\r\n0\r\n\r\n'));
  t.false(read.includes('late'));
});

test('who has read the last event is told that there are no more', async (t) => {
  const subscribe = (): never => t.fail() as never;
  const batch = { status: 'completed' } as Parameters<typeof streamBatch>[2];
  const ctx = { get: () => 'ended' } as unknown as Parameters<typeof streamBatch>[0];
  await streamBatch(ctx, { subscribe }, batch);
  t.is(ctx.status, 204);
});

test('HEAD is answered at once, without a subscription', async (t) => {
  const headers = new Map<string, string>();
  const ctx = {
    method: 'HEAD',
    set: (name: string, value: string) => headers.set(name, value),
  } as unknown as Parameters<typeof streamBatch>[0];
  const subscribe = (): never => t.fail() as never;
  await streamBatch(ctx, { subscribe }, {} as Parameters<typeof streamBatch>[2]);
  t.is(ctx.status, 200);
  t.is(headers.get('Content-Type'), 'text/event-stream');
});
