// Files for batches: uploaded through the service, or directly to storage.
import type Router from '@koa/router';
import type { Middleware, ParameterizedContext } from 'koa';
import { newUploadKey, uploadFolderKey } from '../../db/object-keys.ts';
import { discardFiles } from '../../db/batch-deletion.ts';
import {
  extendUpload,
  findFile,
  findFileByKey,
  listFiles,
  type StoredFile,
} from '../../db/files.ts';
import { findItemFile } from '../../db/source-files.ts';
import { requireCapacity } from '../../db/storage-quota.ts';
import { ServiceError } from '../../models/contract/errors.ts';
import { commonModels } from '../../models/contract/served-models.ts';
import { beingDeleted, findCreated, idempotencyKey } from '../http/idempotency.ts';
import { authenticate } from '../http/middleware/authenticate.ts';
import { requireAllowanceOrCreated } from '../http/middleware/require-allowance.ts';
import { createFileOfUpload, createOrReplayFile } from './create-or-replay.ts';
import { parseFileFields } from './request.ts';
import { fingerprintOf } from '../runs/fingerprint.ts';
import { readJson } from '../http/json.ts';
import { noParameters, readQuery } from '../http/query.ts';
import { uploadLimits, withUpload, type UploadDependencies } from '../upload/receive.ts';
import { fileTooLarge } from '../http/form-errors.ts';
import { inSteps, streamList } from '../http/list-stream.ts';
import { readPage } from '../http/read-page.ts';
import { toFileBody, toUnixSeconds } from './response.ts';
import {
  fileIdPattern,
  lifetimeLimits,
  presignRequestSchema,
  sourcedFileSchema,
} from './schemas.ts';
import { filenameOfSource } from '../../models/contract/source.ts';
import { requireSource } from '../sources/require-source.ts';
import type { Networks } from '../http/networks.ts';
import type { RequestState } from '../http/request-state.ts';

/** Limits of the models that batches can use. */
const limits = uploadLimits(...commonModels);
const { maxFileBytes } = limits;
const maxBodyBytes = 4_096;
const uploadLifetimeSeconds = 3_600;

export interface FileDependencies extends UploadDependencies {
  /** Private networks that recordings may be fetched from. */
  readonly sourceNetworks: Networks;
}

export function fileRoutes(
  router: Router<RequestState>,
  dependencies: FileDependencies,
  concurrency: Middleware<RequestState>,
): void {
  const { db } = dependencies;
  const account = authenticate(dependencies);
  const allowance = requireAllowanceOrCreated((ctx) =>
    findCreated(ctx, (organizationId, key) => findFileByKey(db, organizationId, key)),
  );
  const upload = receiveFile(dependencies);
  const name = nameSource(dependencies);
  router.post('/v1/files', account, allowance, concurrency, (ctx, next) => {
    readQuery(ctx, noParameters);
    return ctx.is('application/json') ? name(ctx, next) : upload(ctx, next);
  });
  router.post('/v1/files/presign', account, allowance, presign(dependencies));
  router.get('/v1/files', account, async (ctx) => {
    const { organizationId } = ctx.state.account;
    const page = await listFiles(db, organizationId, await readPage(ctx, db, 'files'));
    ctx.type = 'application/json';
    ctx.body = await streamList(
      organizationId,
      inSteps(page, (files) => files.map(toFileBody)),
    );
  });
  router.get('/v1/files/:id', account, async (ctx) => {
    ctx.body = toFileBody(await requireFile(dependencies, ctx, ctx.params.id ?? ''));
  });
  router.delete('/v1/files/:id', account, async (ctx) => {
    const { id } = await requireFile(dependencies, ctx, ctx.params.id ?? '');
    // Where it is gone by now, another request has deleted it.
    const isDeleted = async (): Promise<boolean> =>
      (await discardFiles(dependencies, [id])) > 0 || (await findItemFile(db, id)) === null;
    if (!(await isDeleted())) {
      const message = 'The file belongs to a batch that has not ended; cancel that batch first.';
      throw new ServiceError('file_in_use', message);
    }
    ctx.body = { id, object: 'file', deleted: true };
  });
}

function receiveFile(dependencies: UploadDependencies): Middleware<RequestState> {
  const { db } = dependencies;
  return async (ctx) => {
    const { organizationId } = ctx.state.account;
    const key = idempotencyKey(ctx);
    // A repeated request creates nothing, so it needs no storage.
    const known = key === null ? null : await findFileByKey(db, organizationId, key);
    if (!known) await requireCapacity(db, organizationId, minFileBytes(ctx));
    const form = { limits, check: parseFileFields };
    await withUpload(dependencies, ctx, form, async ({ filename, lifetimeSeconds }, upload) => {
      const fingerprint = fingerprintOf([upload.sha256, filename, lifetimeSeconds]);
      const file = await createFileOfUpload(db, ctx, upload, {
        ...{ organizationId, filename, lifetimeSeconds, idempotencyKey: key, fingerprint },
      });
      ctx.body = toFileBody(file);
    });
  };
}

/** A file that has an address: it is fetched when a batch analyses it. */
function nameSource(dependencies: FileDependencies): Middleware<RequestState> {
  const { db, sourceNetworks } = dependencies;
  return async (ctx) => {
    const { organizationId } = ctx.state.account;
    const key = idempotencyKey(ctx);
    const body = await readJson(dependencies, ctx, { schema: sourcedFileSchema, maxBodyBytes });
    const { source, filename, expires_after: expires } = body;
    const url = requireSource(source.url, sourceNetworks, 'source.url');
    const fingerprint = fingerprintOf(body);
    const { file } = await createOrReplayFile(db, ctx, {
      organizationId,
      objectKey: newUploadKey(organizationId),
      filename: filename ?? filenameOfSource(url),
      audio: { sourceUrl: url.href },
      lifetimeSeconds: expires?.seconds ?? lifetimeLimits.max,
      idempotencyKey: key,
      fingerprint,
    });
    ctx.body = toFileBody(file);
  };
}

/** The smallest possible size of the file in a declared body; 1 when no size is declared. */
function minFileBytes(ctx: Pick<ParameterizedContext, 'get'>): number {
  const declared = Number(ctx.get('Content-Length') || 0);
  return Math.max(1, declared - (limits.maxBodyBytes - limits.maxFileBytes));
}

function presign(dependencies: UploadDependencies): Middleware<RequestState> {
  const { db, objects } = dependencies;
  return async (ctx) => {
    readQuery(ctx, noParameters);
    const { organizationId } = ctx.state.account;
    const idempotency = idempotencyKey(ctx);
    const body = await readJson(dependencies, ctx, { schema: presignRequestSchema, maxBodyBytes });
    const { filename, bytes, expires_after: expires } = body;
    if (bytes > maxFileBytes) throw fileTooLarge(maxFileBytes, bytes, 'bytes');
    const fingerprint = fingerprintOf(body);
    const { file, isNew } = await createOrReplayFile(db, ctx, {
      organizationId,
      objectKey: newUploadKey(organizationId),
      filename,
      audio: { reservedBytes: bytes, addressLifetimeSeconds: uploadLifetimeSeconds },
      lifetimeSeconds: expires?.seconds ?? lifetimeLimits.max,
      idempotencyKey: idempotency,
      fingerprint,
    });
    if (!isNew && !(await extendUpload(db, file.id, uploadLifetimeSeconds))) throw beingDeleted();
    await objects.putBytes(uploadFolderKey(organizationId), '');
    const put = { bytes, lifetimeSeconds: uploadLifetimeSeconds };
    const { url, headers, expiresAt } = await objects.presignPut(file.objectKey, put);
    ctx.body = {
      ...toFileBody(file),
      upload: { method: 'PUT', url, headers, expires_at: toUnixSeconds(expiresAt) },
    };
  };
}

/** @throws ServiceError not_found, also for a file of another organization */
async function requireFile(
  { db }: UploadDependencies,
  ctx: ParameterizedContext<RequestState>,
  id: string,
): Promise<StoredFile> {
  const { organizationId } = ctx.state.account;
  const file = fileIdPattern.test(id) ? await findFile(db, organizationId, id) : null;
  if (!file) throw new ServiceError('not_found', 'There is no file with this id.');
  return file;
}
