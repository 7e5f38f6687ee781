// The lifecycle rules of a bucket that others use as well.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import test from 'ava';
import { ownPrefixes } from '../../../db/objects/bucket.ts';
import { openObjectStore } from '../../../db/objects/object-store.ts';

const abort = '<AbortIncompleteMultipartUpload><DaysAfterInitiation>1</DaysAfterInitiation>';
const rule = (id: string, prefix: string): string =>
  `<Rule><ID>${id}</ID><Filter><Prefix>${prefix}</Prefix></Filter><Status>Enabled</Status>
    ${abort}</AbortIncompleteMultipartUpload></Rule>`;

test('uploads of others are never aborted, and their rules stay', async (t) => {
  // An earlier version had a rule for the whole bucket.
  let rules = rule('svc-abort-uploads', '') + rule('theirs', 'theirs/');
  const server = createServer((request, response) => {
    response.setHeader('Content-Type', 'application/xml');
    void text(request).then((body) => {
      if (request.method === 'PUT') [rules] = /<Rule>.*<\/Rule>/s.exec(body)!;
      response.end(`<LifecycleConfiguration>${rules}</LifecycleConfiguration>`);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const objects = openObjectStore({
    ...{ bucket: 'shared', region: 'eu-west-1', endpoint: `http://127.0.0.1:${port}` },
    ...{ accessKeyId: 'id', secretAccessKey: 'secret' },
  });
  t.teardown(() => {
    objects.close();
    server.close();
  });
  t.is(await objects.ensureLifecycle(), 'set');
  const aborting = rules.split('</Rule>').filter((each) => each.includes('DaysAfterInitiation'));
  const prefixes = aborting.map((each) => /<Prefix>(.*?)<\/Prefix>/.exec(each)?.[1]);
  t.deepEqual(prefixes, ['theirs/', ...ownPrefixes]);
  t.is(await objects.ensureLifecycle(), 'kept');
});
