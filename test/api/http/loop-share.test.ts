// Bytes of bodies in a turn of the event loop: bounded in all, and senders go on in their order.
import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import test from 'ava';
import { receiveBody } from '../../../api/http/body.ts';
import { defaultUploadDeadlines } from '../../../api/http/deadlines.ts';
import { createLoopShare } from '../../../api/http/loop-share.ts';

const blockBytes = 65_536;
const senders = 12;
const bodyBytes = 4 * 2 ** 20;

test('who is over the bytes of a turn goes on in the next ones, in order', async (t) => {
  const turns: (() => void)[] = [];
  const nextTurn = (begin: () => void): void => void turns.push(begin);
  const share = createLoopShare({ nextTurn, bytesPerTurn: 2 * blockBytes });
  t.is(share.handled(blockBytes), null);
  const wentOn: number[] = [];
  for (let i = 0; i < 5; i += 1) void share.handled(blockBytes)?.then(() => wentOn.push(i));
  const after: number[] = [];
  while (turns.length > 0) {
    turns.shift()!();
    await Promise.resolve();
    after.push(wentOn.length);
  }
  t.deepEqual(wentOn, [0, 1, 2, 3, 4]);
  t.deepEqual(after, [2, 4, 5, 5]);
  t.is(share.handled(blockBytes), null);
});

test('fast senders do not fill a turn of the event loop', async (t) => {
  let inTurn = 0;
  let most = 0;
  let watching = true;
  const count = (): void => {
    most = Math.max(most, inTurn);
    inTurn = 0;
    if (watching) setImmediate(count);
  };
  setImmediate(count);
  const slot = { revoked: new AbortController().signal, received: () => null };
  const server = createServer((incoming, response) => {
    const common = { request: incoming, response, deadlines: defaultUploadDeadlines, slot };
    receiveBody(
      { ...common, maxBytes: bodyBytes, broken: (reason) => t.fail(reason) as never },
      {
        write: (block) => ((inTurn += block.length), null),
        end: () => response.end(),
        fail: (error) => t.fail(error.message),
      },
    );
  }).listen(0, '127.0.0.1');
  t.teardown(() => server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const body = Buffer.alloc(bodyBytes);
  await Promise.all(
    Array.from({ length: senders }, async () => {
      const sent = request({ port, host: '127.0.0.1', method: 'POST', agent: false });
      sent.end(body);
      const [response] = await once(sent, 'response');
      response.resume();
      await once(response, 'end');
    }),
  );
  watching = false;
  // Two blocks of a sender are on their way when it is asked to wait.
  t.true(most <= 2 ** 19 + 2 * senders * blockBytes, `${most} bytes in one turn`);
});
