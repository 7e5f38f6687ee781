// Connections that are kept alive by what is between the service and storage, and forward nothing.
import test, { type ExecutionContext } from 'ava';
import { openObjectStore } from '../../../db/objects/object-store.ts';
import { startTcpProxy } from '../../faults/tcp-proxy.ts';
import { testServers } from '../../support/environment.ts';
import { patientStore, testObjectStore } from '../../support/object-store.ts';

/** More than a request has attempts. */
const idle = 8;

/** A store whose idle connections all have gone silent; new ones work. */
async function forgotten(t: ExecutionContext, silenceMs: number) {
  const { bucket } = await testObjectStore(t);
  const { s3 } = testServers();
  const proxy = await startTcpProxy(t, s3.endpoint);
  const endpoint = `http://127.0.0.1:${proxy.port}`;
  const objects = openObjectStore({ ...s3, ...patientStore, endpoint, bucket, silenceMs });
  t.teardown(() => objects.close());
  const keys = Array.from({ length: idle }, (_, index) => `key-${index}`);
  await Promise.all(keys.map((key) => objects.putBytes(key, key)));
  proxy.freeze();
  return objects;
}

test('after a silent attempt the next one has a new connection', async (t) => {
  const objects = await forgotten(t, 2_000);
  await t.notThrowsAsync(objects.putBytes('key', 'value'));
});

test('after an aborted request as well', async (t) => {
  const objects = await forgotten(t, patientStore.silenceMs);
  const stop = new AbortController();
  const ping = objects.ping(stop.signal);
  setTimeout(() => stop.abort(), 100);
  await t.throwsAsync(ping, { name: 'AbortError' });
  await t.notThrowsAsync(objects.putBytes('key', 'value'));
});
