// Batches whose workflow is in another state than their row, and those past their retention.
import type { ApplicationFailure } from '@temporalio/activity';
import { MockActivityEnvironment } from '@temporalio/testing';
import test from 'ava';
import { sql } from 'kysely';
import { postWebhook } from '../../../activities/batches/post-webhook.ts';
import { sweep } from '../../../activities/sweep.ts';
import type { ActivityDependencies, WorkflowState } from '../../../activities/dependencies.ts';
import { countItems } from '../../../db/batch-counts.ts';
import { admitItems, readItems } from '../../../db/batch-items.ts';
import { batchById, cancelBatch, endBatch, findBatchByKey } from '../../../db/batches.ts';
import { createBatch } from '../../../db/create-batch.ts';
import type { Db } from '../../../db/database.ts';
import { createFile } from '../../../db/files.ts';
import { batchPrefix } from '../../../db/object-keys.ts';
import { balanceOf } from '../../../db/balance.ts';
import { createSecretBox } from '../../../db/secret-box.ts';
import { reserve } from '../../../db/settlement.ts';
import { rotateWebhookSecret } from '../../../db/webhook-secrets.ts';
import type { WebhookMessage } from '../../../models/contract/webhook-message.ts';
import { createFairSemaphore } from '../../../models/fairness/fair-semaphore.ts';
import { batchWorkflowId } from '../../../workflows/ids.ts';
import type { RunBatchInput, WebhookInput } from '../../../workflows/types.ts';
import { anAccount, testDatabase, type TestAccount } from '../../support/database.ts';
import { logLines } from '../../support/log-lines.ts';
import { testObjectStore } from '../../support/object-store.ts';
import type { StoredBatch } from '../../../db/batch-tables.ts';

async function aBatch(
  db: Db,
  { organizationId, keyId }: TestAccount,
  webhookUrl: string | null = null,
  idempotencyKey: string | null = null,
): Promise<StoredBatch> {
  const audio = { container: 'wav', bytes: 10, sha256: null } as const;
  const common = { organizationId, lifetimeSeconds: 3_600, idempotencyKey: null, fingerprint: 'f' };
  const objectKey = `uploads/${Math.random()}`;
  const file = await createFile(db, { ...common, objectKey, filename: 'x', audio });
  const { container, bytes } = audio;
  const upload = { key: objectKey, container, bytes };
  const item = { customId: 'a', metadata: {}, fileId: file!.id, upload };
  const asked = { task: 'emotion', model: 'svc-resonance' } as const;
  const items = [item, { ...item, customId: 'b' }];
  const request = { ...common, ...asked, options: {}, metadata: {} };
  const batch = await createBatch(db, { ...request, keyId, webhookUrl, items, idempotencyKey });
  return batch!;
}

test('a batch is started, cancelled again or finished according to its workflow', async (t) => {
  const [{ db }, objects] = await Promise.all([testDatabase(t), testObjectStore(t)]);
  const account = await anAccount(db);
  const { organizationId } = account;
  const [forgotten, terminated, cancelled, running, young] = [
    await aBatch(db, account, 'https://example.com/running'),
    await aBatch(db, account, 'https://example.com/ended'),
    await aBatch(db, account),
    await aBatch(db, account),
    await aBatch(db, account),
  ] as const;
  await admitItems(db, terminated, { from: 0, to: 1, ratePerMinute: 0 });
  await reserve(db, { organizationId, requestId: `${terminated.id} 0`, attempt: 1 }, 30);
  await cancelBatch(db, cancelled.id);
  await cancelBatch(db, running.id);
  await sql`UPDATE batches SET created_at = now() - interval '1 hour',
    cancelling_at = cancelling_at - interval '1 hour' WHERE id <> ${young.id}`.execute(db);
  const states = new Map<string, WorkflowState>([
    [batchWorkflowId(organizationId, terminated.id), 'closed'],
    [batchWorkflowId(organizationId, running.id), 'running'],
  ]);
  const started: RunBatchInput[] = [];
  const asked: string[] = [];
  const notified: object[] = [];
  const failures: object[] = [];
  const dependencies = {
    db,
    objects,
    metrics: { failed: (failed: object) => void failures.push(failed) },
    workflowState: async (id: string) => states.get(id) ?? 'absent',
    batches: {
      start: async (batch: RunBatchInput) => void started.push(batch),
      cancel: async (id: string) => asked.push(id) > 0,
      deliverWebhook: async (webhook: WebhookInput) => {
        const isOpen = (await batchById(db, webhook.batchId))?.endedAt === null;
        notified.push({ ...webhook, isOpen });
      },
    },
  };
  const { logger, lines } = logLines(/^the sweeper/);
  const environment = new MockActivityEnvironment({}, { logger });
  await environment.run(() => sweep(dependencies as unknown as ActivityDependencies));

  const told = lines.map(({ batchId, level, message, end }) => [batchId, [level, message, end]]);
  t.deepEqual(Object.fromEntries(told), {
    [forgotten.id]: ['warn', 'the sweeper started a batch', undefined],
    [terminated.id]: ['error', 'the sweeper ended a batch', 'failed'],
    [cancelled.id]: ['warn', 'the sweeper ended a batch', 'cancelled'],
  });
  t.deepEqual(started, [{ organizationId, batchId: forgotten.id, total: 2, next: 0 }]);
  t.deepEqual(asked, [batchWorkflowId(organizationId, running.id)]);
  const ended = (await batchById(db, terminated.id))!;
  t.is(ended.status, 'failed');
  t.like(await countItems(db, ended), { completed: 0, failed: 2, cancelled: 0 });
  const lost = await readItems(db, terminated.id, { from: 0, to: 2 });
  t.deepEqual(
    lost.map(({ status, error }) => [status, error?.code]),
    [0, 1].map(() => ['failed', 'internal_error']),
    'nobody has cancelled them',
  );
  t.deepEqual(failures, [{ code: 'internal_error', bulk: true, count: 2 }]);
  const webhook = { organizationId, batchId: terminated.id };
  t.deepEqual(notified, [{ ...webhook, isOpen: true }], 'a pass that is cut off repeats it');
  t.is((await balanceOf(db, organizationId)).usedSeconds, 0);
  t.is((await batchById(db, cancelled.id))?.status, 'cancelled');
  const items = await readItems(db, cancelled.id, { from: 0, to: 2 });
  t.deepEqual(
    items.map(({ status }) => status),
    ['cancelled', 'cancelled'],
  );
  t.is((await batchById(db, young.id))?.status, 'validating');
});

test('a delivery that comes before the end of its batch waits for it', async (t) => {
  const { db } = await testDatabase(t);
  const account = await anAccount(db);
  const { organizationId } = account;
  const { id: batchId } = await aBatch(db, account, 'https://example.com/hook');
  const secretBox = createSecretBox(Buffer.alloc(32).toString('base64'));
  await rotateWebhookSecret(db, secretBox, { organizationId, actor: 'test' });
  const sent: unknown[] = [];
  const dependencies = {
    ...{ db, secretBox, senders: createFairSemaphore(1), metrics: { webhook: () => {} } },
    sendWebhook: async ({ event }: WebhookMessage) => (sent.push(event.type), { status: 204 }),
  } as unknown as ActivityDependencies;
  const post = () =>
    new MockActivityEnvironment().run(() => postWebhook(dependencies, { organizationId, batchId }));
  const error = await t.throwsAsync(post(), { message: /has not ended/ });
  t.false((error as ApplicationFailure).nonRetryable);
  await endBatch(db, batchId, 'failed');
  t.is(await post(), 204);
  t.deepEqual(sent, ['batch.failed']);
});

test('a batch that cannot be deleted holds up no other', async (t) => {
  const [{ db }, objects] = await Promise.all([testDatabase(t), testObjectStore(t)]);
  const account = await anAccount(db);
  const batches = [await aBatch(db, account), await aBatch(db, account), await aBatch(db, account)];
  const [first] = batches.map(({ id }) => id).toSorted();
  for (const { id } of batches) {
    await objects.putBytes(`${batchPrefix(account.organizationId, id)}000000.json`, '{}');
    await endBatch(db, id, 'completed');
  }
  await sql`UPDATE batches SET expires_at = now() - interval '1 s'`.execute(db);
  const deletePrefix = async (prefix: string): Promise<void> => {
    if (prefix.includes(first!)) throw new Error('it is locked');
    await objects.deletePrefix(prefix);
  };
  const locked = { db, objects: { ...objects, deletePrefix } } as unknown as ActivityDependencies;
  await t.throwsAsync(new MockActivityEnvironment().run(() => sweep(locked)));
  const left = await db.selectFrom('batches').select('id').execute();
  t.deepEqual(left, [{ id: first! }]);
  t.is((await objects.list('batches/')).length, 1);
});

test('an expired batch that is not deleted yet does not keep its idempotency key', async (t) => {
  const { db } = await testDatabase(t);
  const account = await anAccount(db);
  const keyed = () => aBatch(db, account, null, 'monday');
  const found = async () => (await findBatchByKey(db, account.organizationId, 'monday'))?.id;
  const old = await keyed();
  await sql`UPDATE batches SET expires_at = now() - interval '1 s'`.execute(db);
  t.is(await found(), old.id, 'one that has not ended is kept');
  t.falsy(await keyed());
  await sql`UPDATE batches SET ended_at = now()`.execute(db);
  t.is(await found(), undefined);
  const { id } = await keyed();
  t.is(await found(), id);
});

test('batches and files past their retention are deleted with all of their data', async (t) => {
  const [{ db }, objects] = await Promise.all([testDatabase(t), testObjectStore(t)]);
  const account = await anAccount(db);
  const [old, open] = [await aBatch(db, account), await aBatch(db, account)];
  for (const { id } of [old, open]) {
    await objects.putBytes(`${batchPrefix(account.organizationId, id)}000000.json`, '{}');
  }
  await endBatch(db, old.id, 'completed');
  for (const { key } of await db
    .selectFrom('objects')
    .select('key')
    .where('kind', '=', 'file')
    .execute()) {
    await objects.putBytes(key, 'audio');
  }
  await sql`UPDATE batches SET expires_at = now() - interval '1 s'`.execute(db);
  await sql`UPDATE files SET expires_at = now() - interval '1 s'`.execute(db);
  const dependencies = { db, objects } as unknown as ActivityDependencies;
  await new MockActivityEnvironment().run(() => sweep(dependencies));
  const left = await db.selectFrom('batches').select('id').execute();
  t.deepEqual(left, [{ id: open.id }], 'one that has not ended stays');
  t.is((await objects.list('batches/')).length, 1);
  t.is((await objects.list('uploads/')).length, 1, 'and so does its file');
  t.is((await db.selectFrom('files').select('id').execute()).length, 1);
});
