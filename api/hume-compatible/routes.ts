// The batch API for Hume's clients at its own prefix: jobs over the same batches, ids, limits and
// charges, predictions and artifacts made of their results.
import type Router from '@koa/router';
import type { Middleware, ParameterizedContext } from 'koa';
import { countItems } from '../../db/batch-counts.ts';
import { readItems } from '../../db/batch-items.ts';
import type { StoredBatch } from '../../db/batch-tables.ts';
import { findBatchByKey } from '../../db/batches.ts';
import { ServiceError } from '../../models/contract/errors.ts';
import { commonModels } from '../../models/contract/served-models.ts';
import type { BatchDependencies } from '../batches/dependencies.ts';
import { runStep, streamInPace } from '../http/answer-pace.ts';
import { readJson } from '../http/json.ts';
import { noParameters, readQuery } from '../http/query.ts';
import { authenticate } from '../http/middleware/authenticate.ts';
import { requireAllowanceOrCreated } from '../http/middleware/require-allowance.ts';
import type { RequestState } from '../http/request-state.ts';
import { zipArchive } from '../http/zip.ts';
import { uploadLimits, withUpload } from '../upload/receive.ts';
import { humeKey } from './api-key.ts';
import { artifactsOf, predictionsOf } from './answers.ts';
import { createFileJob, createUrlJob, isJobId, jobKey, requireJobId } from './create-job.ts';
import { toHumeJob } from './job-view.ts';
import { humeJobsQuery, streamJobs } from './list-jobs.ts';
import { configOf, humeUrlRequest, parseHumeForm } from './request.ts';

export const humeJobsPath = '/compat/hume/v0/batch/jobs';

type Ctx = ParameterizedContext<RequestState> & { readonly params?: Record<string, string> };

/** Hume's own client sends the request as a file. */
const limits = { ...uploadLimits(...commonModels), textFiles: ['json'] };
/** A hundred addresses. */
const maxBodyBytes = 262_144;

export function humeRoutes(
  router: Router<RequestState>,
  dependencies: BatchDependencies,
  concurrency: Middleware<RequestState>,
): void {
  const { db } = dependencies;
  const account = authenticate(dependencies);
  const upload = createFromFile(dependencies);
  const name = createFromUrls(dependencies);
  const allowance = requireAllowanceOrCreated(async (ctx) =>
    findBatchByKey(db, ctx.state.account.organizationId, jobKey(requireJobId(ctx))),
  );
  router.post(humeJobsPath, humeKey, account, allowance, concurrency, (ctx, next) => {
    readQuery(ctx, noParameters);
    return ctx.is('application/json') ? name(ctx, next) : upload(ctx, next);
  });
  router.get(humeJobsPath, humeKey, account, async (ctx) => {
    const query = readQuery(ctx, humeJobsQuery);
    ctx.type = 'application/json';
    ctx.body = await streamJobs(db, ctx.state.account.organizationId, query);
  });
  const withJob =
    (answer: (ctx: Ctx, job: Job) => Promise<void>): Middleware<RequestState> =>
    async (ctx: Ctx) => {
      const { id = '' } = ctx.params ?? {};
      await answer(ctx, await requireJob(dependencies, ctx.state.account.organizationId, id));
    };
  router.get(
    `${humeJobsPath}/:id`,
    humeKey,
    account,
    withJob(async (ctx, { id, batch }) => {
      ctx.body = await runStep(batch.organizationId, async () => {
        const [counts, items] = await Promise.all([
          countItems(db, batch),
          readItems(db, batch.id, { from: 0, to: batch.total }),
        ]);
        return toHumeJob(id, batch, { counts, items });
      });
    }),
  );
  router.get(
    `${humeJobsPath}/:id/predictions`,
    humeKey,
    account,
    withJob(async (ctx, { batch }) => {
      requireEnded(batch);
      const predictions = predictionsOf(dependencies, batch);
      const body = await streamInPace(batch.organizationId, predictions);
      ctx.type = 'application/json';
      ctx.body = body;
    }),
  );
  router.get(
    `${humeJobsPath}/:id/artifacts`,
    humeKey,
    account,
    withJob(async (ctx, { id, batch }) => {
      requireEnded(batch);
      const archive = zipArchive(artifactsOf(dependencies, batch));
      const body = await streamInPace(batch.organizationId, archive);
      ctx.attachment(`artifacts-${id}.zip`);
      ctx.type = 'application/zip';
      ctx.body = body;
    }),
  );
}

function createFromFile(dependencies: BatchDependencies): Middleware<RequestState> {
  return async (ctx) => {
    requireJobId(ctx);
    let filename = '';
    const form = {
      limits,
      check: (received: Parameters<typeof parseHumeForm>[0]) => {
        filename = received.filename;
        return parseHumeForm(received);
      },
    };
    await withUpload(dependencies, ctx, form, async (config, upload) => {
      const jobId = await createFileJob(dependencies, ctx, { config, filename, upload });
      ctx.body = { job_id: jobId };
    });
  };
}

function createFromUrls(dependencies: BatchDependencies): Middleware<RequestState> {
  return async (ctx) => {
    const body = { schema: humeUrlRequest, maxBodyBytes };
    const { models, urls } = await readJson(dependencies, ctx, body);
    const config = configOf(models);
    ctx.body = { job_id: await createUrlJob(dependencies, ctx, { config, urls }) };
  };
}

interface Job {
  readonly id: string;
  readonly batch: StoredBatch;
}

/** @throws ServiceError not_found, also for a job of another organization */
async function requireJob(
  { db }: BatchDependencies,
  organizationId: string,
  id: string,
): Promise<Job> {
  const batch = isJobId(id) ? await findBatchByKey(db, organizationId, jobKey(id)) : null;
  if (!batch) throw new ServiceError('not_found', 'There is no job with this id.');
  return { id, batch };
}

function requireEnded({ endedAt }: StoredBatch): void {
  if (endedAt !== null) return;
  throw new ServiceError('batch_in_progress', 'The job has not ended.');
}
