// The memory of uploads is bounded, however many there are and however slow storage is, and all
// end.
import { createHash } from 'node:crypto';
import { UploadPartCommand, type S3Client } from '@aws-sdk/client-s3';
import test from 'ava';
import { storeStream } from '../../../db/objects/object-upload.ts';
import { createPartBuffers } from '../../../db/objects/part-buffers.ts';

const limits = { partBytes: 1_024, maxExtra: 4 };
const uploads = 50;
const parts = 8;

/** Storage that answers a part on a signal. */
function slowStorage() {
  const waiting: (() => void)[] = [];
  const state = { storedBytes: 0, open: false, fails: false };
  const send = async (command: unknown): Promise<object> => {
    if (!(command instanceof UploadPartCommand)) return { UploadId: 'u' };
    if (!state.open) await new Promise<void>((resolve) => waiting.push(resolve));
    if (state.fails) throw new Error('storage is gone');
    state.storedBytes += (command.input.Body as Buffer).length;
    return { ETag: 'e' };
  };
  const release = (): void => {
    state.open = true;
    for (const answer of waiting.splice(0)) answer();
  };
  return { client: { send } as unknown as S3Client, state, release, waiting };
}

const settle = async (): Promise<void> => {
  for (let i = 0; i < 100; i += 1) await new Promise((resolve) => setImmediate(resolve));
};

function sendAll(client: S3Client, buffers = createPartBuffers(limits), count = uploads) {
  const read = { bytes: 0 };
  const block = Buffer.alloc(256, 'x');
  const body = async function* (): AsyncGenerator<Buffer> {
    for (let i = 0; i < (parts * limits.partBytes) / block.length; i += 1) {
      read.bytes += block.length;
      yield block;
    }
  };
  const all = Array.from({ length: count }, (_, i) =>
    storeStream({ client, bucket: 'b', key: `${i}`, body: body(), buffers }),
  );
  return { read, all, block, buffers };
}

test('what waits for slow storage is bounded, and all of it is stored in the end', async (t) => {
  const { client, state, release } = slowStorage();
  const { read, all, block } = sendAll(client);
  await settle();
  // One buffer each, the extra ones, and the block that each upload is reading.
  const most = (uploads + limits.maxExtra) * limits.partBytes + uploads * block.length;
  t.true(read.bytes <= most, `${read.bytes} of at most ${most}`);
  t.true(read.bytes >= uploads * limits.partBytes);
  release();
  const stored = await Promise.all(all);
  const sha256 = createHash('sha256')
    .update('x'.repeat(parts * limits.partBytes))
    .digest('hex');
  for (const each of stored) t.deepEqual(each, { bytes: parts * limits.partBytes, sha256 });
  t.is(state.storedBytes, uploads * parts * limits.partBytes);
});

test('failed uploads free their memory for the next ones', async (t) => {
  const { client, state, release } = slowStorage();
  const { all, buffers } = sendAll(client);
  await settle();
  state.fails = true;
  release();
  for (const { status } of await Promise.allSettled(all)) t.is(status, 'rejected');
  state.fails = false;
  t.is((await Promise.all(sendAll(client, buffers).all)).length, uploads);
});

test('a lone upload sends as many parts at once as it may while storage is slow', async (t) => {
  const { client, waiting, release } = slowStorage();
  const { all } = sendAll(client, undefined, 1);
  await settle();
  t.is(waiting.length, 3);
  release();
  t.is((await Promise.all(all)).length, 1);
});

test('a slow sender holds no extra buffer', async (t) => {
  const buffers = createPartBuffers({ partBytes: 16, maxExtra: 1 });
  const slow = buffers.open();
  const first = await slow.acquire();
  const second = await slow.acquire();
  const other = buffers.open();
  await other.acquire();
  let granted = false;
  const waits = other.acquire().then(() => (granted = true));
  await settle();
  t.false(granted);
  // The first is stored; the second, half full, is the buffer that every upload has.
  slow.release(first, true);
  t.true(await waits);
  slow.release(second, true);
  slow.close();
  other.close();
  const last = buffers.open();
  await last.acquire();
  await last.acquire();
  t.pass();
});
