// Batches: created, listed, read, cancelled, deleted.
import type Router from '@koa/router';
import type { Middleware, ParameterizedContext } from 'koa';
import { countItems } from '../../db/batch-counts.ts';
import { findPosition, readItems } from '../../db/batch-items.ts';
import { discardBatch } from '../../db/batch-deletion.ts';
import { cancelBatch, findBatch, findBatchByKey } from '../../db/batches.ts';
import { closeBatch } from '../../db/close-batch.ts';
import { ServiceError } from '../../models/contract/errors.ts';
import { exportFormats } from '../../models/exports/formats.ts';
import { batchWorkflowId } from '../../workflows/ids.ts';
import { createOrReplay } from './create.ts';
import { startStored } from './start-stored.ts';
import { streamBatch } from './events.ts';
import { findCreated, idempotencyKey, replayed } from '../http/idempotency.ts';
import { noParameters, readQuery } from '../http/query.ts';
import { exportedBatch, exportedItem } from './export-results.ts';
import { requireResult, resultLines } from './result-lines.ts';
import { authenticate } from '../http/middleware/authenticate.ts';
import { requireAllowanceOrCreated } from '../http/middleware/require-allowance.ts';
import { readWhole, requireJsonType } from '../http/json.ts';
import { batchSteps, itemSteps } from './lists.ts';
import { toBatchBody } from './response.ts';
import { readPage } from '../http/read-page.ts';
import { batchIdPattern, exportQuerySchema, itemQuerySchema, type BatchBody } from './schemas.ts';
import { streamList } from '../http/list-stream.ts';
import type { RequestState } from '../http/request-state.ts';
import type { BatchDependencies } from './dependencies.ts';
import type { StoredBatch } from '../../db/batch-tables.ts';

export const maxBatchBytes = 16 * 1_048_576;

type Ctx = ParameterizedContext<RequestState> & { readonly params?: Record<string, string> };
type Answer = (ctx: Ctx, batch: StoredBatch) => Promise<void>;

export function batchRoutes(router: Router<RequestState>, dependencies: BatchDependencies): void {
  const { db } = dependencies;
  const account = authenticate(dependencies);
  const withBatch =
    (answer: Answer): Middleware<RequestState> =>
    async (ctx: Ctx) => {
      const { id = '' } = ctx.params ?? {};
      const { organizationId } = ctx.state.account;
      const batch = batchIdPattern.test(id) ? await findBatch(db, organizationId, id) : null;
      await answer(ctx, requireBatch(batch));
    };
  const allowance = requireAllowanceOrCreated((ctx) =>
    findCreated(ctx, (organizationId, key) => findBatchByKey(db, organizationId, key)),
  );
  router.post('/v1/batches', account, allowance, create(dependencies));
  router.get('/v1/batches', account, async (ctx) => {
    const { organizationId } = ctx.state.account;
    const steps = batchSteps(db, organizationId, await readPage(ctx, db, 'batches'));
    ctx.type = 'application/json';
    ctx.body = await streamList(organizationId, steps);
  });
  router.get(
    '/v1/batches/:id',
    account,
    withBatch(async (ctx, batch) => {
      ctx.body = await bodyOf(dependencies, batch);
    }),
  );
  router.get('/v1/batches/:id/items', account, withBatch(listItems(dependencies)));
  router.get(
    '/v1/batches/:id/results',
    account,
    withBatch(async (ctx, batch) => {
      const lines = await resultLines(dependencies, batch);
      ctx.type = 'application/jsonl';
      ctx.body = lines;
    }),
  );
  router.get(
    '/v1/batches/:id/export',
    account,
    withBatch(async (ctx, batch) => {
      const { format } = readQuery(ctx, exportQuerySchema);
      const archive = await exportedBatch(dependencies, batch, format);
      ctx.attachment(`${batch.id}-${format}.zip`);
      ctx.type = 'application/zip';
      ctx.body = archive;
    }),
  );
  router.get('/v1/batches/:id/items/:index/export', account, withBatch(exportItem(dependencies)));
  router.get(
    '/v1/batches/:id/events',
    account,
    withBatch((ctx, batch) => streamBatch(ctx, dependencies.batchFeed, batch)),
  );
  router.post('/v1/batches/:id/cancel', account, withBatch(cancel(dependencies)));
  router.delete(
    '/v1/batches/:id',
    account,
    withBatch(async (ctx, batch) => {
      if (!(await discardBatch(dependencies, batch))) {
        const message = 'The batch has not ended; cancel it first.';
        throw new ServiceError('batch_in_progress', message);
      }
      ctx.body = { id: batch.id, object: 'batch', deleted: true };
    }),
  );
}

function requireBatch(batch: StoredBatch | null): StoredBatch {
  if (!batch) throw new ServiceError('not_found', 'There is no batch with this id.');
  return batch;
}

async function bodyOf({ db }: BatchDependencies, batch: StoredBatch): Promise<BatchBody> {
  return toBatchBody(batch, await countItems(db, batch), Date.now());
}

function create(dependencies: BatchDependencies): Middleware<RequestState> {
  return async (ctx) => {
    readQuery(ctx, noParameters);
    const key = idempotencyKey(ctx);
    requireJsonType(ctx);
    const { bodies, uploadDeadlines: deadlines, batchParser } = dependencies;
    const whole = { gate: bodies.batches, deadlines, maxBytes: maxBatchBytes };
    const parsed = await readWhole(ctx, whole, (body) =>
      batchParser.parse(ctx.state.account.organizationId, body),
    );
    const { batch: found, created } = await createOrReplay(dependencies, ctx.state, parsed, key);
    const batch = created ? found! : replayed(ctx, found, parsed);
    if (created) await startStored(dependencies, batch);
    ctx.status = 202;
    ctx.set('Location', `/v1/batches/${batch.id}`);
    ctx.body = await bodyOf(dependencies, batch);
  };
}

function listItems({ db }: BatchDependencies): Answer {
  return async (ctx, { id, organizationId, total }) => {
    const { limit, after, status } = readQuery(ctx, itemQuerySchema);
    const last = after === undefined ? -1 : await findPosition(db, id, after);
    if (last === null) {
      const message = '`after` is not the id of an item of this batch.';
      throw new ServiceError('invalid_field', message, { param: 'after' });
    }
    const range = { from: last + 1, to: total, limit, ...(status && { status }) };
    ctx.type = 'application/json';
    ctx.body = await streamList(organizationId, itemSteps(db, id, range));
  };
}

function exportItem(dependencies: BatchDependencies): Answer {
  return async (ctx, batch) => {
    const { format } = readQuery(ctx, exportQuerySchema);
    const index = /^\d{1,6}$/.test(ctx.params?.index ?? '') ? Number(ctx.params?.index) : -1;
    const [item] = await readItems(dependencies.db, batch.id, { from: index, to: index + 1 });
    if (!item) throw new ServiceError('not_found', 'The batch has no item with this index.');
    requireResult(item);
    const text = await exportedItem(dependencies, batch, item, format);
    ctx.type = exportFormats[format].mediaType;
    // A report contains transcripts of callers, so nothing in it may run or load.
    ctx.set('Content-Security-Policy', "default-src 'none'; style-src 'unsafe-inline'");
    ctx.body = text;
  };
}

function cancel(dependencies: BatchDependencies): Answer {
  const { db, logger } = dependencies;
  return async (ctx, batch) => {
    const { id, organizationId, status, webhookUrl, endedAt } = batch;
    if (status === 'completed' || status === 'failed') {
      const message = `The batch has ended as ${status} and cannot be cancelled.`;
      throw new ServiceError('batch_already_ended', message);
    }
    if (endedAt !== null) {
      // Its webhook was sent, which Temporal forgets before the batch is deleted.
      ctx.body = await bodyOf(dependencies, batch);
      return;
    }
    await cancelBatch(db, id);
    try {
      const started = await dependencies.batches.cancel(batchWorkflowId(organizationId, id));
      if (!started) {
        // The delivery comes first, because nothing would see to it once the batch has ended.
        const webhook = { organizationId, batchId: id };
        if (webhookUrl !== null) await dependencies.batches.deliverWebhook(webhook);
        await closeBatch(db, id, 'cancelled');
      }
    } catch (err) {
      // From now on its items end as cancelled, and the sweeper repeats the cancellation of the
      // workflow.
      logger.warn({ batchId: id, err }, 'the workflow of the batch could not be cancelled yet');
    }
    // Another request may have deleted it meanwhile.
    const cancelled = requireBatch(await findBatch(db, organizationId, id));
    ctx.body = await bodyOf(dependencies, cancelled);
  };
}
