// How long storage may be silent about a request: longer the more there is to send, as what local
// buffers hold counts as sent.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import test from 'ava';
import { openObjectStore } from '../../../db/objects/object-store.ts';
import { silenceLimitMs } from '../../../db/objects/silence-limit.ts';

test('each of the first four MiB adds the time that it takes with 1 Mbit/s', (t) => {
  const limit = (bytes: number) => silenceLimitMs(bytes, 9_000);
  t.is(limit(0), 9_000);
  t.is(limit(2 ** 20 - 1), 9_000);
  t.is(limit(2 ** 20), 17_000);
  t.is(limit(10 * 2 ** 20), 41_000);
  t.is(limit(Number.NaN), 9_000, 'a length that is not declared');
});

test('a store that is slow to receive gets the time for it, a silent one does not', async (t) => {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(request.url!);
    request.resume().once('end', () => setTimeout(() => response.end(), 2_500));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const objects = openObjectStore({
    ...{ bucket: 'any', region: 'any', accessKeyId: 'id', secretAccessKey: 'secret' },
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    silenceMs: 1_000,
  });
  t.teardown(() => {
    objects.close();
    server.closeAllConnections();
    server.close();
  });
  await Promise.all([
    objects.putBytes('large', Buffer.alloc(2 ** 20)),
    objects.putStream('stream', Readable.from([Buffer.alloc(2 ** 20)])),
  ]);
  t.is(requests.length, 2, 'at their first attempts');
  await t.throwsAsync(objects.putBytes('small', Buffer.alloc(1_000)), { name: 'TimeoutError' });
});
