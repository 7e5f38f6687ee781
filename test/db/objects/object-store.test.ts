// Object storage: hashes, ranges, write-once keys, and a failed upload leaves nothing.
import { createHash, randomBytes } from 'node:crypto';
import test from 'ava';
import { testObjectStore } from '../../support/object-store.ts';

async function* blocks(bytes: Buffer, size = 65_536): AsyncGenerator<Buffer> {
  for (let i = 0; i < bytes.length; i += size) yield bytes.subarray(i, i + size);
}

test('streams of any size are read back unchanged, with their sha256', async (t) => {
  const objects = await testObjectStore(t);
  for (const size of [0, 1, 100_000, 20 * 2 ** 20 + 7]) {
    const bytes = randomBytes(size);
    const stored = await objects.putStream(`k${size}`, blocks(bytes));
    t.is(stored.bytes, size);
    t.is(stored.sha256, createHash('sha256').update(bytes).digest('hex'));
    t.true((await objects.getBytes(`k${size}`)).equals(bytes));
  }
  const part = await objects.getRange('k100000', 10, 20);
  t.true(part.equals((await objects.getBytes('k100000')).subarray(10, 20)));
});

test('the start of an object comes with the size of all of it', async (t) => {
  const objects = await testObjectStore(t);
  for (const size of [0, 1, 9, 10, 11, 5_000]) {
    const bytes = randomBytes(size);
    await objects.putStream('key' + size, blocks(bytes));
    const expected = { bytes: size, start: bytes.subarray(0, 10) };
    t.deepEqual(await objects.readStart('key' + size, 10), expected);
  }
  t.is(await objects.readStart('absent', 10), null);
});

test('a streamed key is written once', async (t) => {
  const objects = await testObjectStore(t);
  await objects.putStream('once', blocks(Buffer.from('first')));
  await t.throwsAsync(objects.putStream('once', blocks(Buffer.from('second'))));
  t.is((await objects.getBytes('once')).toString(), 'first');
});

test('a stream that fails or is aborted leaves no object and no open upload', async (t) => {
  const objects = await testObjectStore(t);
  const big = randomBytes(20 * 2 ** 20);
  async function* breaking() {
    yield* blocks(big);
    throw new Error('the client went away');
  }
  await t.throwsAsync(objects.putStream('broken', breaking()), { message: /went away/ });
  const aborter = new AbortController();
  async function* slow() {
    yield* blocks(big);
    aborter.abort(new Error('too slow'));
    yield big;
  }
  await t.throwsAsync(objects.putStream('aborted', slow(), { signal: aborter.signal }));
  t.deepEqual(await objects.list(''), []);
  t.is(await objects.abortUploads([''], new Date(Date.now() + 60_000)), 0);
});

test.serial('an empty text is stored without a warning of the SDK', async (t) => {
  const objects = await testObjectStore(t);
  const { warn } = console;
  const warnings: unknown[] = [];
  console.warn = (text: unknown) => void warnings.push(text);
  t.teardown(() => (console.warn = warn));
  await objects.putBytes('empty', '');
  t.deepEqual(warnings, []);
  t.is((await objects.getBytes('empty')).length, 0);
});

test('an absent object is distinguished from a failure', async (t) => {
  const objects = await testObjectStore(t);
  await t.throwsAsync(objects.getBytes('absent'), { name: 'ObjectMissing' });
});
