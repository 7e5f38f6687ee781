// An upload that is given up closes what it reads: a descriptor, and the disk space of its file.
import test from 'ava';
import { testObjectStore } from '../../support/object-store.ts';

test('the source of an aborted upload of several parts is closed', async (t) => {
  const objects = await testObjectStore(t);
  const aborter = new AbortController();
  let closed = false;
  async function* body(): AsyncGenerator<Buffer> {
    try {
      for (let i = 0; i < 24; i += 1) {
        if (i === 4) aborter.abort(new Error('cancelled'));
        yield Buffer.alloc(2 ** 20, i);
      }
    } finally {
      closed = true;
    }
  }
  const stored = objects.putStream('key', body(), { signal: aborter.signal });
  await t.throwsAsync(stored, { message: 'cancelled' });
  t.true(closed);
  t.deepEqual(await objects.list(''), []);
});
