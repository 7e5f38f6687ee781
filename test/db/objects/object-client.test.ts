// Requests to an S3 service: addressing, credentials, encryption, proxies.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { connect, type AddressInfo } from 'node:net';
import test from 'ava';
import { openObjectStore, type ObjectStoreOptions } from '../../../db/objects/object-store.ts';
import { makeCertificates } from '../../support/certificates.ts';
import type { Cleanup } from '../../support/cleanup.ts';
import { patientStore } from '../../support/object-store.ts';

/** A service that accepts and records every request. */
async function recorder(t: Cleanup, server: Server = createServer()) {
  const requests: IncomingMessage[] = [];
  server.on('request', (request, response) => {
    requests.push(request);
    request.resume().once('end', () => response.end());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  return { requests, port: (server.address() as AddressInfo).port };
}

function opened(t: Cleanup, options: Partial<ObjectStoreOptions>) {
  const objects = openObjectStore({
    ...{ bucket: 'calls', region: 'eu-west-1', endpoint: null },
    ...{ accessKeyId: 'id', secretAccessKey: 'secret' },
    ...patientStore,
    ...options,
  });
  t.teardown(() => objects.close());
  return objects;
}

const presign = { bytes: 10, lifetimeSeconds: 60 };

test('the bucket is in the host name or in the path; AWS is the default', async (t) => {
  const of = async (options: Partial<ObjectStoreOptions>) => {
    const { host, pathname } = new URL((await opened(t, options).presignPut('k', presign)).url);
    return host + pathname;
  };
  t.is(await of({ addressing: 'virtual' }), 'calls.s3.eu-west-1.amazonaws.com/k');
  const endpoint = 'https://s3.example:9000';
  t.is(await of({ endpoint, addressing: 'virtual' }), 'calls.s3.example:9000/k');
  t.is(await of({ endpoint }), 's3.example:9000/calls/k');
  const publicEndpoint = 'https://files.example';
  t.is(await of({ endpoint, publicEndpoint }), 'files.example/calls/k');
});

test('encryption is requested for every object, presigned uploads included', async (t) => {
  const { requests, port } = await recorder(t);
  const objects = opened(t, {
    endpoint: `http://127.0.0.1:${port}`,
    encryption: { algorithm: 'aws:kms', kmsKeyId: 'key-1' },
  });
  await objects.putBytes('a', 'text');
  await objects.ping();
  const requested = requests.map(({ headers }) => headers['x-amz-server-side-encryption']);
  t.deepEqual(requested, ['aws:kms', undefined]);
  t.is(requests[0]!.headers['x-amz-server-side-encryption-aws-kms-key-id'], 'key-1');
  const { url, headers } = await objects.presignPut('b', presign);
  t.is(headers['x-amz-server-side-encryption'], 'aws:kms');
  const signed = new URL(url).searchParams.get('X-Amz-SignedHeaders')?.split(';') ?? [];
  t.true(signed.includes('x-amz-server-side-encryption-aws-kms-key-id'));
});

test("an upload is presigned by the storage's clock, once it is known", async (t) => {
  const server = createServer();
  server.on('request', (_, response) => {
    response.setHeader('Date', 'Sat, 28 Nov 2020 10:00:00 GMT');
  });
  const { port } = await recorder(t, server);
  const objects = opened(t, {
    endpoint: `http://127.0.0.1:${port}`,
    publicEndpoint: 'https://files.example',
  });
  await objects.ping();
  const { url } = await objects.presignPut('k', presign);
  t.regex(new URL(url).searchParams.get('X-Amz-Date')!, /^20201128T1/);
});

test('an upload whose credentials end before its address says when', async (t) => {
  const ends = new Date(Date.now() + 3_600_000);
  Object.assign(process.env, {
    ...{ AWS_ACCESS_KEY_ID: 'CHAINKEY', AWS_SECRET_ACCESS_KEY: 'secret' },
    ...{ AWS_SESSION_TOKEN: 'session', AWS_CREDENTIAL_EXPIRATION: ends.toISOString() },
  });
  const day = { bytes: 10, lifetimeSeconds: 86_400 };
  const ofRole = opened(t, { accessKeyId: null, secretAccessKey: null });
  t.deepEqual((await ofRole.presignPut('k', day)).expiresAt, ends);
  const before = Date.now();
  const { expiresAt } = await opened(t, {}).presignPut('k', day);
  t.true(expiresAt.getTime() - before >= 86_400_000);
});

test("without a fixed key the credentials are those of AWS's chain", async (t) => {
  const { requests, port } = await recorder(t);
  Object.assign(process.env, {
    AWS_ACCESS_KEY_ID: 'CHAINKEY',
    AWS_SECRET_ACCESS_KEY: 'secret',
    AWS_SESSION_TOKEN: 'session',
  });
  const endpoint = `http://127.0.0.1:${port}`;
  await opened(t, { endpoint, accessKeyId: null, secretAccessKey: null }).ping();
  t.regex(requests[0]!.headers.authorization ?? '', /Credential=CHAINKEY\//);
  t.is(requests[0]!.headers['x-amz-security-token'], 'session');
});

test('a storage with a private authority is trusted, and reached through a proxy', async (t) => {
  const { authority, server } = makeCertificates(t);
  const { cert, key } = server;
  const { requests, port } = await recorder(t, createTlsServer({ cert, key }) as unknown as Server);
  const endpoint = `https://localhost:${port}`;
  await t.throwsAsync(opened(t, { endpoint }).ping(), { message: /certificate/ });
  await opened(t, { endpoint, authority }).ping();
  t.is(requests.length, 1);

  const proxied: string[] = [];
  const proxy = createServer();
  proxy.on('connect', ({ url = '' }, socket) => {
    proxied.push(url);
    const behind = connect(port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      socket.pipe(behind).pipe(socket);
    });
    for (const side of [socket, behind]) side.on('error', () => {});
  });
  const { port: proxyPort } = await recorder(t, proxy);
  const HTTPS_PROXY = `http://127.0.0.1:${proxyPort}`;
  await opened(t, { endpoint, authority, proxies: { HTTPS_PROXY } }).ping();
  t.deepEqual(proxied, [`localhost:${port}`]);
  const proxies = { HTTPS_PROXY, NO_PROXY: 'localhost' };
  await opened(t, { endpoint, authority, proxies }).ping();
  t.is(proxied.length, 1, 'what NO_PROXY names is reached directly');
  t.is(requests.length, 3);
});
