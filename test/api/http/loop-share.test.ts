// Bytes of bodies in a turn of the event loop: bounded in all, and senders go on in their order.
import { once } from 'node:events';
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import test, { type ExecutionContext } from 'ava';
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

interface Watched {
  readonly port: number;
  /** The most of `measure` that was received in one turn. */
  readonly stop: () => number;
}

/** Serves bodies, and watches how much of them is received in a turn of the event loop. */
async function watchTurns(
  t: ExecutionContext,
  measure: (block: Buffer) => number,
): Promise<Watched> {
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
  const server = createServer((incoming: IncomingMessage, response: ServerResponse) => {
    const common = { request: incoming, response, deadlines: defaultUploadDeadlines, slot };
    receiveBody(
      { ...common, maxBytes: bodyBytes, broken: (reason) => t.fail(reason) as never },
      {
        write: (block) => ((inTurn += measure(block)), null),
        end: () => response.end(),
        fail: (error) => t.fail(error.message),
      },
    );
  }).listen(0, '127.0.0.1');
  t.teardown(() => server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const stop = (): number => {
    watching = false;
    return most;
  };
  return { port, stop };
}

test('fast senders do not fill a turn of the event loop', async (t) => {
  const { port, stop } = await watchTurns(t, ({ length }) => length);
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
  const most = stop();
  // Two blocks of a sender are on their way when it is asked to wait.
  t.true(most <= 2 ** 19 + 2 * senders * blockBytes, `${most} bytes in one turn`);
});

test('nor does a body of many small blocks', async (t) => {
  const { port, stop } = await watchTurns(t, () => 1);
  const socket = connect(port, '127.0.0.1');
  const head = 'POST / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nTransfer-Encoding: chunked';
  socket.write(`${head}\r\n\r\n${'1\r\nx\r\n'.repeat(40_000)}0\r\n\r\n`);
  t.regex(await text(socket), /^HTTP\/1.1 200 /);
  const most = stop();
  // Those of a turn, and one more before the sender waits.
  t.true(most <= 2 * 513, `${most} blocks in one turn`);
});
