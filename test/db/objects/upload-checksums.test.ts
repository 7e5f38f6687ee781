// How much of an upload is checked at once: whoever waits for the event loop waits for that.
import zlib from 'node:zlib';
import { syncBuiltinESMExports } from 'node:module';
import test from 'ava';
import { testObjectStore } from '../../support/object-store.ts';

const blockBytes = 65_536;
const blocks = 400;

async function* body(): AsyncGenerator<Buffer> {
  for (let i = 0; i < blocks; i += 1) yield Buffer.alloc(blockBytes, i);
}

test('the checksum of a part is taken block by block, and the store agrees with it', async (t) => {
  const { crc32 } = zlib;
  let largest = 0;
  zlib.crc32 = (data, value) => {
    largest = Math.max(largest, Buffer.byteLength(data));
    return crc32(data, value);
  };
  syncBuiltinESMExports();
  t.teardown(() => {
    zlib.crc32 = crc32;
    syncBuiltinESMExports();
  });
  const objects = await testObjectStore(t);
  for (const key of ['long', 'short']) {
    const source = key === 'long' ? body() : [Buffer.from('a few bytes')];
    const { bytes } = await objects.putStream(key, source as AsyncIterable<Uint8Array>);
    t.is((await objects.getBytes(key)).length, bytes);
  }
  t.true(largest > 0 && largest <= blockBytes, `${largest} bytes at once`);
});
