// The checksums of a recording in parts: declared before the first part, named when it is complete.
import { once } from 'node:events';
import { createServer, request as send, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import test from 'ava';
import { openObjectStore } from '../../../db/objects/object-store.ts';
import type { Cleanup } from '../../support/cleanup.ts';
import { testServers } from '../../support/environment.ts';
import { patientStore, testObjectStore } from '../../support/object-store.ts';

interface Seen {
  readonly request: IncomingMessage;
  readonly body: string;
}

/** A proxy that notes what passes, but for the bodies of parts. */
async function notingProxy(t: Cleanup) {
  const seen: Seen[] = [];
  const proxy = createServer((request, response) => {
    const { method, headers, url = '' } = request;
    const onward = send(url, { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    const noted = method === 'POST' ? text(request) : Promise.resolve('');
    void noted.then((body) => seen.push({ request, body }));
    request.pipe(onward);
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  t.teardown(() => {
    proxy.closeAllConnections();
    proxy.close();
  });
  return { seen, HTTP_PROXY: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}` };
}

async function* blocks(): AsyncGenerator<Buffer> {
  for (let i = 0; i < 25; i += 1) yield Buffer.alloc(2 ** 20, i);
}

test('the store is told the kind of checksum, and in the end that of each part', async (t) => {
  const { bucket } = await testObjectStore(t);
  const { seen, HTTP_PROXY } = await notingProxy(t);
  const objects = openObjectStore({
    ...{ ...testServers().s3, ...patientStore, bucket, proxies: { HTTP_PROXY } },
  });
  t.teardown(() => objects.close());
  const { bytes } = await objects.putStream('long', blocks());
  const [create, complete] = seen.filter(({ request }) => request.method === 'POST');
  t.is(create!.request.headers['x-amz-checksum-algorithm'], 'CRC32');
  const parts = seen.flatMap(({ request: { url = '', headers } }) => {
    const number = new URL(url).searchParams.get('partNumber');
    return number === null ? [] : [`${number} ${String(headers['x-amz-checksum-crc32'])}`];
  });
  t.is(parts.length, 3);
  const named = [...complete!.body.matchAll(/<Part>.*?<\/Part>/g)].map(([part]) => {
    const valueOf = (name: string) => new RegExp(`<${name}>(.*?)</${name}>`).exec(part)?.[1];
    return `${valueOf('PartNumber')} ${valueOf('ChecksumCRC32')}`;
  });
  t.deepEqual(named, parts.toSorted());
  t.is((await objects.getBytes('long')).length, bytes);
});
