// One attempt to deliver a webhook: what it is counted as, and when the next one follows.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type ApplicationFailure, CancelledFailure } from '@temporalio/activity';
import { MockActivityEnvironment } from '@temporalio/testing';
import test from 'ava';
import { postWebhook } from '../../../activities/batches/post-webhook.ts';
import type { ActivityDependencies } from '../../../activities/dependencies.ts';
import { parseNetworks } from '../../../api/http/networks.ts';
import { sendWebhook } from '../../../api/webhooks/send.ts';
import { closeBatch } from '../../../db/close-batch.ts';
import { createSecretBox } from '../../../db/secret-box.ts';
import { rotateWebhookSecret } from '../../../db/webhook-secrets.ts';
import { createFairSemaphore } from '../../../models/fairness/fair-semaphore.ts';
import type { Cleanup } from '../../support/cleanup.ts';
import { testDatabase } from '../../support/database.ts';
import { aStoredBatch } from '../../support/stored-batch.ts';

const networks = parseNetworks('127.0.0.0/8');

/** A receiver that answers with these codes in turn, to be asked again after a day. */
async function receiver(t: Cleanup, codes: number[]): Promise<string> {
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      const code = codes.shift() ?? 204;
      response.writeHead(code, code === 503 ? { 'Retry-After': '86400' } : {}).end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

/** A batch of a receiver, whose messages are an hour old. */
async function aMessage(t: Cleanup, codes: number[], { sealed = true } = {}) {
  const { db } = await testDatabase(t);
  const { batch, organizationId } = await aStoredBatch(db, ['call']);
  const webhookUrl = await receiver(t, codes);
  await db.updateTable('batches').set({ webhookUrl }).where('id', '=', batch.id).execute();
  const secretBox = createSecretBox(Buffer.alloc(32).toString('base64'));
  await rotateWebhookSecret(db, secretBox, { organizationId, actor: 'test' });
  const senders = createFairSemaphore(1);
  const outcomes: string[] = [];
  const dependencies = {
    ...{ db, senders, secretBox: sealed ? secretBox : null },
    sendWebhook: (message: Parameters<typeof sendWebhook>[0]) => sendWebhook(message, { networks }),
    metrics: { webhook: ({ outcome }: { readonly outcome: string }) => outcomes.push(outcome) },
  } as unknown as ActivityDependencies;
  const currentAttemptScheduledTimestampMs = Date.now();
  const scheduledTimestampMs = currentAttemptScheduledTimestampMs - 3_600_000;
  const environment = () =>
    new MockActivityEnvironment({ scheduledTimestampMs, currentAttemptScheduledTimestampMs });
  const post = (within = environment()): Promise<number> =>
    within.run(() => postWebhook(dependencies, { organizationId, batchId: batch.id }));
  return { db, batchId: batch.id, organizationId, senders, outcomes, environment, post };
}

test('an attempt that only waited is no failure, and delays the next one by seconds', async (t) => {
  const { db, batchId, organizationId, senders, outcomes, post } = await aMessage(t, [500]);
  const refusal = () => t.throwsAsync<ApplicationFailure>(post() as Promise<unknown>);
  const early = await refusal();
  t.is(early?.nextRetryDelay, 5_000, 'its batch has not ended');
  await closeBatch(db, batchId, 'completed');
  const release = await senders.acquire(organizationId);
  const held = await refusal();
  t.is(held?.nextRetryDelay, 5_000, 'no slot was free');
  release();
  t.deepEqual(outcomes, ['waited', 'waited']);
  t.true(Number((await refusal())?.nextRetryDelay) >= 3_600_000, 'its receiver answered 500');
  t.is(await post(), 204);
  t.deepEqual(outcomes.slice(2), ['failed', 'delivered']);
});

test('an attempt that its worker ends says nothing about the receiver', async (t) => {
  const message = await aMessage(t, []);
  const { organizationId, senders, outcomes } = message;
  await closeBatch(message.db, message.batchId, 'completed');
  await senders.acquire(organizationId);
  const ended = message.environment();
  const posted = message.post(ended);
  ended.cancel();
  await t.throwsAsync(posted as Promise<unknown>, { instanceOf: CancelledFailure });
  t.deepEqual(outcomes, []);
});

test('a receiver that names a later time is asked then, after 6 h at most', async (t) => {
  const { db, batchId, outcomes, post } = await aMessage(t, [503]);
  await closeBatch(db, batchId, 'completed');
  const failure = await t.throwsAsync<ApplicationFailure>(post() as Promise<unknown>);
  t.is(failure?.nextRetryDelay, 6 * 3_600_000);
  t.deepEqual(outcomes, ['failed']);
});

test('what this service cannot send is no fault of the receiver; it is tried soon', async (t) => {
  const { db, batchId, outcomes, post } = await aMessage(t, [], { sealed: false });
  await closeBatch(db, batchId, 'completed');
  const failure = await t.throwsAsync<ApplicationFailure>(post() as Promise<unknown>);
  t.is(failure?.nextRetryDelay, 60_000);
  t.deepEqual(outcomes, ['unsent']);
});

test('410 is the last attempt', async (t) => {
  const { db, batchId, outcomes, post } = await aMessage(t, [410]);
  await closeBatch(db, batchId, 'completed');
  const failure = await t.throwsAsync<ApplicationFailure>(post() as Promise<unknown>);
  t.true(failure?.nonRetryable);
  t.deepEqual(outcomes, ['gone']);
});
