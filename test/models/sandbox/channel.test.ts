// Messages over a socket: in any pieces, and whatever a hostile sender writes.
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { serialize } from 'node:v8';
import test, { type ExecutionContext } from 'ava';
import { openChannel } from '../../../models/sandbox/channel.ts';
import { createRandom } from '../../support/random.ts';

async function connected(t: ExecutionContext): Promise<readonly [Socket, Socket]> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const near = connect(port, '127.0.0.1');
  const [far] = (await once(server, 'connection')) as [Socket];
  t.teardown(() => {
    for (const end of [near, far]) end.destroy();
    server.close();
  });
  return [near, far];
}

function framed(message: unknown, attached: Uint8Array = new Uint8Array()): Buffer {
  const body = serialize(message);
  return Buffer.concat([header(attached.length, body.length), attached, body]);
}

function header(attachedBytes: number, bodyBytes: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeUInt32BE(attachedBytes);
  bytes.writeUInt32BE(bodyBytes, 4);
  return bytes;
}

test('messages arrive whole and in order, however they are cut', async (t) => {
  const [near, far] = await connected(t);
  const messages = [{ n: 0 }, new Int16Array(40_000).fill(7), [], { n: 1, text: 'ä'.repeat(300) }];
  const received: unknown[] = [];
  const all = Promise.withResolvers<void>();
  openChannel(far, {
    maxBytes: 1e6,
    onMessage: (message) => {
      received.push(message);
      if (received.length === messages.length) all.resolve();
    },
    onMalformed: all.reject,
  });
  const random = createRandom(5);
  const bytes = Buffer.concat(messages.map((message) => framed(message)));
  for (let at = 0; at < bytes.length;) {
    const length = 1 + Math.floor(random() ** 4 * 30_000);
    near.write(bytes.subarray(at, at + length));
    at += length;
    if (random() < 0.3) await new Promise((resolve) => setImmediate(resolve));
  }
  await all.promise;
  t.deepEqual(received, messages);
});

test('bytes go with a message in blocks, and arrive in one, whatever they view', async (t) => {
  const [near, far] = await connected(t);
  const blocks = [new Uint8Array([1, 2, 3]), new Uint8Array([0, 4, 5, 0]).subarray(1, 3)];
  const received: (readonly [unknown, readonly number[]])[] = [];
  const all = Promise.withResolvers<void>();
  openChannel(far, {
    maxBytes: 1e6,
    onMessage: (message, attached) => {
      t.is(attached.byteOffset, 0);
      received.push([message, [...attached]]);
      if (received.length === 3) all.resolve();
    },
    onMalformed: all.reject,
  });
  const channel = openChannel(near, { maxBytes: 1, onMessage: () => {}, onMalformed: all.reject });
  channel.send({ n: 1 }, { attached: blocks });
  channel.send({ n: 2 });
  channel.send({ n: 3 }, { attached: [new Uint8Array([6])] });
  await all.promise;
  t.deepEqual(received, [
    [{ n: 1 }, [1, 2, 3, 4, 5]],
    [{ n: 2 }, []],
    [{ n: 3 }, [6]],
  ]);
});

test('what is no message closes the channel and reaches nobody', async (t) => {
  const cases: Readonly<Record<string, Buffer>> = {
    'of no known version': Buffer.concat([header(0, 4), Buffer.from('AAAA')]),
    'cut inside of itself': Buffer.concat([
      header(0, 9),
      framed('text').subarray(8, 13),
      Buffer.alloc(4),
    ]),
    empty: header(0, 0),
    'too long': header(0, 0xff_ff_ff_ff),
    'attached too much': header(900, 101),
    'not what is expected': framed(null),
  };
  for (const [name, bytes] of Object.entries(cases)) {
    const [near, far] = await connected(t);
    const malformed = Promise.withResolvers<unknown>();
    openChannel(far, {
      maxBytes: 1_000,
      onMessage: (message) => void (message as { readonly kind: string }).kind.length,
      onMalformed: malformed.resolve,
    });
    near.write(bytes);
    t.true((await malformed.promise) instanceof Error, name);
    t.true(far.destroyed, name);
  }
});
