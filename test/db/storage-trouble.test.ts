// Object storage behind a proxy that fails: what is retried, what is detected, what is
// distinguished.
import { randomBytes } from 'node:crypto';
import { once as nextEvent } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import test, { type ExecutionContext } from 'ava';
import { ObjectsKept } from '../../db/objects/object-deletion.ts';
import { openObjectStore } from '../../db/objects/object-store.ts';
import { startS3Proxy, type S3Proxy, type StorageFailure } from '../faults/s3-proxy.ts';
import { testServers } from '../support/environment.ts';
import { testObjectStore } from '../support/object-store.ts';
import { createRandom } from '../support/random.ts';
import { withDirectory } from '../support/speech.ts';

async function behindProxy(t: ExecutionContext) {
  const direct = await testObjectStore(t);
  const { s3 } = testServers();
  const proxy = await startS3Proxy(t, s3.endpoint, createRandom(1));
  const endpoint = `http://127.0.0.1:${proxy.port}`;
  const objects = openObjectStore({ ...s3, endpoint, bucket: direct.bucket });
  t.teardown(() => objects.close());
  return { direct, objects, proxy };
}

function once(proxy: S3Proxy, failure: StorageFailure): void {
  proxy.set({ failures: [failure], share: 1, latencyMs: 0, times: 1 });
}

async function* oneBlock(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}

test.serial('a clock that is set, and corrected again, fails no request', async (t) => {
  const { direct } = await behindProxy(t);
  const realNow = Date.now;
  t.teardown(() => (Date.now = realNow));
  const requests: readonly (() => Promise<unknown>)[] = [
    () => direct.putBytes('key', 'value'),
    () => direct.getBytes('key'),
    () => direct.readStart('key', 1),
    () => direct.list(''),
  ];
  for (const request of requests) {
    for (const hours of [0, 1, 0, -1, 0]) {
      Date.now = () => realNow() + hours * 3_600_000;
      await t.notThrowsAsync(request, `${hours} h`);
    }
  }
});

test('a write whose answer was lost counts; another object under its key does not', async (t) => {
  const { direct, objects, proxy } = await behindProxy(t);
  const bytes = randomBytes(1_000);
  once(proxy, 'forget');
  t.is((await objects.putStream('mine', oneBlock(bytes))).bytes, 1_000);
  t.true((await direct.getBytes('mine')).equals(bytes));
  once(proxy, 'forget');
  await t.throwsAsync(objects.putStream('mine', oneBlock(randomBytes(1_000))));
  t.true((await direct.getBytes('mine')).equals(bytes));
});

test('a put whose folder was deleted in between is repeated', async (t) => {
  const { direct, objects, proxy } = await behindProxy(t);
  once(proxy, 'folder');
  t.is((await objects.putStream('uploads/one', oneBlock(randomBytes(1_000)))).bytes, 1_000);
  once(proxy, 'folder');
  await objects.putBytes('uploads/two', 'value');
  t.is((await direct.getBytes('uploads/two')).toString(), 'value');
  const parts = randomBytes(11_000_000);
  const completes = ({ method, url }: IncomingMessage): boolean =>
    method === 'POST' && url!.includes('uploadId=');
  proxy.set({ failures: ['folder'], share: 1, latencyMs: 0, times: 1, only: completes });
  t.is((await objects.putStream('uploads/parts', oneBlock(parts))).bytes, parts.length);
  t.true((await direct.getBytes('uploads/parts')).equals(parts));
});

for (const failure of ['reject', 'reset'] as const) {
  test(`a request that fails by "${failure}" is retried`, async (t) => {
    const { objects, proxy } = await behindProxy(t);
    once(proxy, failure);
    await objects.putBytes('key', 'value');
    once(proxy, failure);
    t.is((await objects.getBytes('key')).toString(), 'value');
  });
}

for (const failure of ['short', 'truncate', 'flip'] as const) {
  test(`a read that is damaged by "${failure}" is no result`, async (t) => {
    const { objects, proxy } = await behindProxy(t);
    const stored = await objects.putStream('key', oneBlock(randomBytes(4_000)));
    once(proxy, failure);
    await t.throwsAsync(objects.getBytes('key'));
    await withDirectory(async (directory) => {
      once(proxy, failure);
      await t.throwsAsync(objects.download('key', `${directory}/damaged`, stored));
      await t.notThrowsAsync(objects.download('key', `${directory}/whole`, stored));
    });
    t.is((await objects.getBytes('key')).length, 4_000);
  });
}

for (const failure of ['short', 'truncate'] as const) {
  test(`a range that is damaged by "${failure}" is no result`, async (t) => {
    const { objects, proxy } = await behindProxy(t);
    await objects.putStream('key', oneBlock(randomBytes(4_000)));
    once(proxy, failure);
    await t.throwsAsync(objects.getRange('key', 0, 2_000));
    t.is((await objects.getRange('key', 0, 2_000)).length, 2_000);
    once(proxy, failure);
    await t.throwsAsync(objects.readStart('key', 2_000));
    t.is((await objects.readStart('key', 2_000))?.start.length, 2_000);
  });
}

/** A store that gives the answers of the test. */
async function scripted(
  t: ExecutionContext,
  answer: (request: IncomingMessage, response: ServerResponse) => unknown,
) {
  const server = createServer((request, response) => {
    response.setHeader('Content-Type', 'application/xml');
    answer(request, response);
  });
  server.listen(0, '127.0.0.1');
  await nextEvent(server, 'listening');
  t.teardown(() => server.close());
  const { port } = server.address() as AddressInfo;
  const endpoint = `http://127.0.0.1:${port}`;
  const objects = openObjectStore({ ...testServers().s3, endpoint, bucket: 'any' });
  t.teardown(() => objects.close());
  return objects;
}

test('objects that the store reports as not deleted are not taken for deleted', async (t) => {
  const objects = await scripted(t, (request, response) => {
    request.resume();
    const error = '<Error><Key>b</Key><Code>InternalError</Code><Message>no</Message></Error>';
    response.end(`<DeleteResult><Deleted><Key>a</Key></Deleted>${error}</DeleteResult>`);
  });
  const error = await t.throwsAsync(objects.delete(['a', 'b']), { instanceOf: ObjectsKept });
  t.regex(error!.message, /not deleted: InternalError no/);
  t.deepEqual([...error!.keys], ['b']);
});

test('a damaged listing is completed by the next, and objects of others stay', async (t) => {
  const stored = new Set(['work/one', 'work/two']);
  const damaged = ['work/one', 'work/tvo'];
  let listed: readonly string[] | null = damaged;
  const objects = await scripted(t, async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString();
    if (request.method === 'POST') {
      for (const [, key] of body.matchAll(/<Key>(.*?)<\/Key>/g)) stored.delete(key!);
      return response.end('<DeleteResult></DeleteResult>');
    }
    const keys = listed ?? [...stored];
    listed = null;
    const contents = keys.map((key) => `<Contents><Key>${key}</Key></Contents>`);
    return response.end(`<ListBucketResult>${contents.join('')}</ListBucketResult>`);
  });
  await objects.deletePrefix('work/');
  t.deepEqual([...stored], []);
  stored.add('wori/three');
  listed = ['wori/three'];
  await t.throwsAsync(objects.deletePrefix('work/'), { name: 'ObjectDamaged' });
  t.deepEqual([...stored], ['wori/three']);
});
