// A listener that leaves while its batch is looked up, or asks for headers alone, holds nothing.
import { once } from 'node:events';
import { createServer, get } from 'node:http';
import type { AddressInfo } from 'node:net';
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
