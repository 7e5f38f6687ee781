// A new bucket is made in the region of the settings, also where an address names the storage.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import test from 'ava';
import { withStorage } from '../../../bin/provision/stores.ts';
import type { Cleanup } from '../../support/cleanup.ts';

/** A proxy behind which is a storage without buckets. @returns the bodies of what makes one */
async function emptyStorage(t: Cleanup, made: number) {
  const bodies: string[] = [];
  const server = createServer((request, response) => {
    response.statusCode = request.method === 'HEAD' ? 404 : made;
    void text(request).then((body) => {
      if (request.method === 'PUT') bodies.push(body);
      response.end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  const proxies = { HTTP_PROXY: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
  const storage = { bucket: 'calls', accessKeyId: 'id', secretAccessKey: 'secret', proxies };
  return { storage, bodies };
}

test('a storage is told the region, except for the first one of AWS', async (t) => {
  const { storage, bodies } = await emptyStorage(t, 200);
  const constraint = async (endpoint: string, region: string) => {
    await withStorage({ ...storage, endpoint, region }, (objects) => objects.ensureBucket());
    return /<LocationConstraint>(.*)<\/LocationConstraint>/.exec(bodies.pop() ?? '')?.[1] ?? null;
  };
  t.is(await constraint('http://s3.eu-west-1.amazonaws.com', 'eu-west-1'), 'eu-west-1');
  t.is(await constraint('http://s3.cn-north-1.amazonaws.com.cn', 'cn-north-1'), 'cn-north-1');
  t.is(await constraint('http://s3.us-east-1.amazonaws.com', 'us-east-1'), null);
});

for (const status of [301, 400]) {
  test(`what AWS answers for another region (${status}) names that setting`, async (t) => {
    const { storage } = await emptyStorage(t, status);
    const elsewhere = { ...storage, endpoint: 'http://s3.amazonaws.com', region: 'eu-west-1' };
    await t.throwsAsync(
      withStorage(elsewhere, (objects) => objects.ensureBucket()),
      {
        message: new RegExp(` answered ${status} \\(S3_BUCKET, S3_REGION and its credentials\\)$`),
      },
    );
  });
}
