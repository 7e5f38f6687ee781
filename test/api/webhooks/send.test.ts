// Hostile webhook receivers: none of them blocks the sender, and no address bypasses the guard.
import { Resolver } from 'node:dns/promises';
import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';
import { mock } from 'node:test';
import test from 'ava';
import { parseNetworks } from '../../../api/http/networks.ts';
import { mayCall } from '../../../api/egress/guard.ts';
import { parseReceiver } from '../../../api/webhooks/receiver.ts';
import { ReceiverUnreachable, sendWebhook } from '../../../api/webhooks/send.ts';
import type { ReceiverAnswer } from '../../../models/contract/webhook-message.ts';
import type { Cleanup } from '../../support/cleanup.ts';

const loopback = parseNetworks('127.0.0.0/8');
const secrets = [`whsec_${Buffer.alloc(24).toString('base64')}`];

/** A receiver made by hand. @returns its address, and how its first connection ends */
async function receiver(t: Cleanup, serve: (socket: Socket) => void) {
  const server: Server = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => serve(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => void server.close());
  const closed = new Promise<void>((resolve) => {
    server.once('connection', (socket) => void socket.once('close', () => resolve()));
  });
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  return { url, closed };
}

const answerOf = (url: URL, timeoutMs?: number, proxy?: string): Promise<ReceiverAnswer> => {
  const event = { type: 'webhook.test', timestamp: new Date().toISOString(), data: {} };
  return sendWebhook(
    { id: 'msg_1', url, secrets, event },
    { networks: loopback, proxy, ...(timeoutMs && { timeoutMs }) },
  );
};

const send = async (...to: Parameters<typeof answerOf>): Promise<number> =>
  (await answerOf(...to)).status;

test('an endless body is not read on once the status has arrived', async (t) => {
  const { url, closed } = await receiver(t, (socket) => {
    socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n');
    const more = (): void => {
      while (!socket.destroyed && socket.write(`ffff\r\n${'x'.repeat(0xffff)}\r\n`));
    };
    socket.on('drain', more);
    more();
  });
  t.is(await send(url), 200);
  await closed;
});

test('headers that trickle end at the deadline, whatever still arrives', async (t) => {
  const { url, closed } = await receiver(t, (socket) => {
    socket.write('HTTP/1.1 200 OK\r\n');
    const timer = setInterval(() => socket.write('X-More: 1\r\n'), 20);
    socket.once('close', () => clearInterval(timer));
  });
  const error = await t.throwsAsync(send(url, 300), { instanceOf: ReceiverUnreachable });
  t.is(error.message, 'There was no response within 0.3 seconds.');
  await closed;
});

test('an unreachable receiver is reported without internal details', async (t) => {
  const { url, closed } = await receiver(t, (socket) => socket.destroy());
  const hungUp = await t.throwsAsync(send(url), { instanceOf: ReceiverUnreachable });
  t.is(hungUp.message, 'The receiver could not be reached.');
  await closed;
  const closedPort = new URL('http://127.0.0.1:1/');
  const rejected = await t.throwsAsync(send(closedPort), { instanceOf: ReceiverUnreachable });
  t.is(rejected.message, 'The receiver could not be reached.');
});

test('the deadline includes the name resolution', async (t) => {
  const timers = mock.method(globalThis, 'setTimeout');
  const sent = send(new URL('https://localhost:1/'), 77_000, 'http://127.0.0.1:1');
  const begun = timers.mock.calls.map((each) => each.arguments[1]);
  timers.mock.restore();
  await t.throwsAsync(sent, { instanceOf: ReceiverUnreachable });
  t.true(begun.includes(77_000), 'before anything is awaited');
});

test('nothing goes to the internet in clear, nor where webhooks may not be sent', async (t) => {
  const named = mock.method(Resolver.prototype, 'resolve4', async () => ['93.184.215.14']);
  t.teardown(() => named.mock.restore());
  for (const url of [
    ...['http://93.184.215.14/', 'https://10.0.0.1/', 'http://[::ffff:10.0.0.1]/'],
    'http://moved-since-it-was-registered.example/',
  ]) {
    const error = await t.throwsAsync(send(new URL(url)), { instanceOf: ReceiverUnreachable });
    t.is(error.message, 'The receiver has an address that webhooks may not be sent to.', url);
  }
});

test('no IPv6 address leads past the guard, to an IPv4 address or a private network', async (t) => {
  for (const address of [
    ...['::127.0.0.1', '::ffff:10.0.0.1', '::8.8.8.8', '64:ff9b::7f00:1', '64:ff9b:1::a00:1'],
    ...['2002:7f00:1::1', '2001:0:7f00:1::1', '2a00::5efe:7f00:1', '2a00::200:5efe:7f00:1'],
    ...['fec0::1', '100::1', '2001:db8::1', 'ff02::1', '::', '::1', '::ffff:0:127.0.0.1'],
    ...['100:0:0:1::1', '200::1', '4000::1', 'e000::1'],
  ]) {
    t.false(mayCall(address, []), address);
  }
  t.true(mayCall('2606:4700:4700::1111', []));
  const error = await t.throwsAsync(parseReceiver('https://[::127.0.0.1]/', [], 'url'));
  t.regex(error.message, /SVC_WEBHOOK_NETWORKS/);
});
