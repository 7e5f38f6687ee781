// Webhooks as a receiver sees them: signed, repeated until accepted, never into private networks.
import { randomBytes } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import test from 'ava';
import { Webhook } from 'standardwebhooks';
import { parseNetworks } from '../../api/http/networks.ts';
import { createBatchWorkflows } from '../../api/batches/batch-workflows.ts';
import { mayCall } from '../../api/egress/guard.ts';
import { createBatch } from '../../db/create-batch.ts';
import { createFile } from '../../db/files.ts';
import { createSecretBox } from '../../db/secret-box.ts';
import { rotateWebhookSecret } from '../../db/webhook-secrets.ts';
import { parseReceiver } from '../../api/webhooks/receiver.ts';
import { call, startBatch, untilBatch, uploadFile } from '../support/batches.ts';
import type { Cleanup } from '../support/cleanup.ts';
import { speech, toWav } from '../support/speech.ts';
import { testStack } from '../support/stack.ts';
import { until } from '../support/until.ts';
import { webhookWorkflowId } from '../../workflows/ids.ts';

interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** Answers with the given status codes in turn, then with 204. */
async function receiver(t: Cleanup, codes: number[]) {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (part: Buffer) => (body += part.toString()));
    request.on('end', () => {
      received.push({ headers: request.headers, body });
      response.writeHead(codes.shift() ?? 204).end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`, received };
}

test.serial('the end of a batch is delivered until accepted, by ids and signed', async (t) => {
  const stack = await testStack(t);
  const { url, received } = await receiver(t, [204, 500]);
  const webhook = { url };
  const id = await uploadFile(stack, toWav(await speech('Nobody hears of this.')));
  const early = call(stack, '/v1/batches', {
    method: 'POST',
    body: { task: 'emotion', items: [{ custom_id: 'a', file_id: id }], webhook },
  });
  t.is((await early).body.error.param, 'webhook.url', 'there is no secret yet');
  const { secret } = (await call(stack, '/v1/webhooks/secret', { method: 'POST' })).body;
  t.regex(secret, /^whsec_/);
  const tried = await call(stack, '/v1/webhooks/test', { method: 'POST', body: webhook });
  t.deepEqual(tried.body, { object: 'webhook.test', delivered: true, status: 204, error: null });
  const { secret: newer } = (await call(stack, '/v1/webhooks/secret', { method: 'POST' })).body;
  const batch = await startBatch(stack, [id], { task: 'transcription', webhook });
  await untilBatch(stack, batch.id);
  // The first delivery is answered 500; it is repeated after some seconds, with the same id.
  await until(() => received.length >= 3);
  const [, first, second] = received as [Received, Received, Received];
  t.is(first.headers['webhook-id'], second.headers['webhook-id']);
  for (const key of [secret, newer]) {
    const headers = second.headers as Record<string, string>;
    const event = new Webhook(key).verify(second.body, headers) as { type: string; data: object };
    t.is(event.type, 'batch.completed');
    t.deepEqual(event.data, {
      id: batch.id,
      object: 'batch',
      status: 'completed',
      request_counts: { total: 1, completed: 1, failed: 0 },
    });
  }
  t.false(second.body.includes('Nobody'));
  const delivery = webhookWorkflowId(stack.account.organizationId, batch.id);
  await stack.client.workflow.getHandle(delivery).result();
  const input = { organizationId: stack.account.organizationId, batchId: batch.id };
  await createBatchWorkflows(stack.client, stack.taskQueue).deliverWebhook(input);
  const { status } = await stack.client.workflow.getHandle(delivery).describe();
  t.is(status.name, 'COMPLETED', 'there is no second delivery');
  t.is(received.length, 3, 'taken once');
});

test('a secret that no key opens disables webhooks', async (t) => {
  const stack = await testStack(t, { worker: false });
  const { organizationId, keyId: actor } = stack.account;
  const lost = createSecretBox(randomBytes(32).toString('base64'));
  await rotateWebhookSecret(stack.db, lost, { organizationId, actor });
  const body = { url: 'http://127.0.0.1:9/hook' };
  const answer = await call(stack, '/v1/webhooks/test', { method: 'POST', body });
  t.is(answer.status, 503);
  t.is(answer.body.error.code, 'not_ready');
  t.regex(answer.body.error.message, /lacks the key/);
});

test('the end of a batch that is cancelled before it was begun is delivered', async (t) => {
  const { db, account, client, ...stack } = await testStack(t, { worker: false });
  const { organizationId, keyId } = account;
  const common = { organizationId, lifetimeSeconds: 3_600, idempotencyKey: null, fingerprint: 'f' };
  const audio = { container: 'wav', bytes: 100, sha256: 'f' } as const;
  const file = await createFile(db, { ...common, objectKey: 'k', filename: 'a.wav', audio });
  const upload = { key: 'k', ...audio };
  const options = { diarize: false, numSpeakers: null, includeLogits: false, channelRoles: [] };
  const batch = await createBatch(db, {
    ...{ ...common, keyId, task: 'emotion', model: 'svc-fourier', options, metadata: {} },
    webhookUrl: 'http://127.0.0.1:9/hook',
    items: [{ customId: 'a', metadata: {}, fileId: file!.id, upload }],
  });
  const path = `/v1/batches/${batch!.id}/cancel`;
  const cancelled = await call({ ...stack, account }, path, { method: 'POST' });
  t.is(cancelled.body.status, 'cancelled');
  const delivery = client.workflow.getHandle(webhookWorkflowId(organizationId, batch!.id));
  t.teardown(() => delivery.terminate());
  const { type, priority } = await delivery.describe();
  t.is(type, 'deliverWebhook');
  t.is(priority?.fairnessKey, organizationId, 'as when the batch itself starts it');
});

test('only public addresses and allowed networks are called', async (t) => {
  const none = parseNetworks('');
  const own = parseNetworks('10.1.0.0/16, fd00::/8');
  for (const address of [
    ...['127.0.0.1', '10.1.2.3', '172.16.0.1', '192.168.1.1', '169.254.169.254', '0.0.0.0'],
    ...['100.64.0.1', '224.0.0.1', '::1', 'fe80::1', 'fd00::1', '::ffff:127.0.0.1', 'x'],
  ]) {
    t.false(mayCall(address, none), address);
  }
  t.true(mayCall('93.184.216.34', none) && mayCall('2606:2800:220:1::1', none));
  t.true(mayCall('10.1.2.3', own) && mayCall('fd00::1', own) && !mayCall('10.2.0.1', own));
  for (const url of [
    ...['ftp://example.com', 'https://user@example.com', 'https://localhost/x', 'nonsense'],
    ...['https://2130706433/', 'https://0x7f.1/', 'https://[::1]/', 'http://93.184.216.34/'],
    'https://no-such-host.invalid/',
  ]) {
    await t.throwsAsync(parseReceiver(url, none, 'url'), { name: 'ServiceError' }, url);
  }
  t.is((await parseReceiver('http://10.1.2.3:8080/hook', own, 'url')).port, '8080');
  for (const block of ['10.0.0.0', '10/8', '10.1/16', '010.0.0.0/8', '0x0a.0.0.0/8', '::/x']) {
    t.throws(() => parseNetworks(block), undefined, block);
  }
});
