// Set-up with credentials that do not allow everything it does to a bucket.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import test from 'ava';
import { provisionStorage } from '../../../bin/provision/stores.ts';

for (const [method, action] of [
  ['GET', 's3:GetLifecycleConfiguration'],
  ['PUT', 's3:PutLifecycleConfiguration'],
] as const) {
  test(`a policy without ${action} is told so`, async (t) => {
    const server = createServer((request, response) => {
      response.setHeader('Content-Type', 'application/xml');
      request.resume();
      if (request.method === method) {
        response.statusCode = 403;
        response.end('<Error><Code>AccessDenied</Code><Message>Access Denied</Message></Error>');
      } else response.end(request.method === 'GET' ? '<LifecycleConfiguration/>' : '');
    }).listen(0, '127.0.0.1');
    t.teardown(() => server.close());
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const endpoint = `http://127.0.0.1:${port}`;
    const access = { accessKeyId: 'id', secretAccessKey: 'secret' };
    const options = { bucket: 'calls', region: 'eu-west-1', endpoint, ...access };
    await t.throwsAsync(provisionStorage(options), {
      message: `object storage at ${endpoint}, bucket calls, does not allow ${action}`,
    });
  });
}
