// A job of Hume's clients is a batch: its id is the idempotency key, so that a repeated request
// finds the job that the first one created.
import { createHash } from 'node:crypto';
import type { ParameterizedContext } from 'koa';
import { objectPieces } from '../../db/objects/object-pieces.ts';
import { defaultModel } from '../../models/contract/served-models.ts';
import { mediaTypesOf } from '../../models/contract/containers.ts';
import { ServiceError } from '../../models/contract/errors.ts';
import { filenameOfSource, shownSource } from '../../models/contract/source.ts';
import { storedFilename } from '../../models/contract/stored-file.ts';
import { createOrReplay } from '../batches/create.ts';
import type { BatchDependencies } from '../batches/dependencies.ts';
import type { ParsedBatch } from '../batches/parse-batch.ts';
import { startStored } from '../batches/start-stored.ts';
import { createFileOfUpload } from '../files/create-or-replay.ts';
import { lifetimeLimits } from '../files/schemas.ts';
import { replayed } from '../http/idempotency.ts';
import type { RequestState } from '../http/request-state.ts';
import { fingerprintOf } from '../runs/fingerprint.ts';
import { requireSource } from '../sources/require-source.ts';
import { automatic } from '../fields/language.ts';
import type { OwnedUpload } from '../upload/store-upload.ts';
import type { HumeConfig } from './request.ts';

type Ctx = ParameterizedContext<RequestState>;

/** Of any version and variant, because proxies mark and make ids as they like. */
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** Its digits alone, as nginx makes ids. */
const uuidDigits = /^([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})$/;

/** The blank keeps it apart from the keys that callers send. */
export const jobKeyPrefix = 'hume ';

export function jobKey(jobId: string): string {
  return `${jobKeyPrefix}${jobId}`;
}

export function isJobId(text: string): boolean {
  return uuid.test(text);
}

/** The id of the request, a UUID, is that of the job. @throws ServiceError invalid_request_id */
export function requireJobId({ state: { requestId } }: Ctx): string {
  const jobId = requestId.replace(uuidDigits, '$1-$2-$3-$4-$5');
  if (isJobId(jobId)) return jobId;
  const param = 'X-Request-ID';
  const message = `${param} names the job and must be a UUID in lower case, or absent.`;
  throw new ServiceError('invalid_request_id', message, { param });
}

/** @throws ServiceError idempotency_conflict for an id that was used for another job */
export async function createFileJob(
  dependencies: BatchDependencies,
  ctx: Ctx,
  job: { readonly config: HumeConfig; readonly filename: string; readonly upload: OwnedUpload },
): Promise<string> {
  const { config, upload } = job;
  const { db } = dependencies;
  const { organizationId } = ctx.state.account;
  const jobId = requireJobId(ctx);
  const filename = storedFilename(job.filename);
  const key = jobKey(jobId);
  const fingerprint = fingerprintOf([upload.sha256, config]);
  const file = await createFileOfUpload(db, ctx, upload, {
    ...{ organizationId, filename, fingerprint, idempotencyKey: key },
    lifetimeSeconds: lifetimeLimits.max,
  });
  const metadata = {
    filename,
    content_type: mediaTypesOf([upload.container]),
    md5sum: await md5Of(dependencies, { key: file.objectKey, bytes: upload.bytes }),
  };
  const customId = filename.slice(0, 128);
  const items = [{ customId, recording: { fileId: file.id }, metadata }];
  return createJob(dependencies, ctx, { jobId, parsed: parsedBatch(config, items, fingerprint) });
}

/** @throws ServiceError as `createFileJob`, and for addresses that may not be fetched */
export async function createUrlJob(
  dependencies: BatchDependencies,
  ctx: Ctx,
  { config, urls }: { readonly config: HumeConfig; readonly urls: readonly string[] },
): Promise<string> {
  const jobId = requireJobId(ctx);
  const items = urls.map((sourceUrl, i) => {
    const url = requireSource(sourceUrl, dependencies.sourceNetworks, `urls.${i}`);
    const name = `${i + 1} ${filenameOfSource(url)}`.slice(0, 128);
    const metadata = { url: shownSource(sourceUrl).slice(0, 512) };
    return { customId: name, recording: { sourceUrl }, metadata };
  });
  const fingerprint = fingerprintOf([urls, config]);
  return createJob(dependencies, ctx, { jobId, parsed: parsedBatch(config, items, fingerprint) });
}

/** An analysis with the speakers that the job needs. */
function parsedBatch(
  { granularity, identifySpeakers }: HumeConfig,
  items: ParsedBatch['items'],
  fingerprint: string,
): ParsedBatch {
  const options = {
    diarize: identifySpeakers || granularity === 'conversational_turn',
    ...{ num_speakers: null, include_logits: false, language: automatic, format_numbers: false },
    ...{
      redact: [],
      redact_names: [],
      vocabulary: [],
      channels: 'mix' as const,
      channel_roles: [],
    },
  };
  const metadata = { granularity, identify_speakers: String(identifySpeakers) };
  const head = { task: 'analysis' as const, model: defaultModel, options, metadata };
  return { head, items, fingerprint, otherFingerprint: fingerprint };
}

async function createJob(
  dependencies: BatchDependencies,
  ctx: Ctx,
  { jobId, parsed }: { readonly jobId: string; readonly parsed: ParsedBatch },
): Promise<string> {
  const key = jobKey(jobId);
  const { batch, created } = await createOrReplay(dependencies, ctx.state, parsed, key);
  if (created) await startStored(dependencies, batch!);
  else replayed(ctx, batch, parsed);
  return jobId;
}

/** Hume's clients know a file by its MD5, which nothing else here needs. */
async function md5Of(
  { objects }: BatchDependencies,
  object: Parameters<typeof objectPieces>[1],
): Promise<string> {
  const hash = createHash('md5');
  for await (const piece of objectPieces(objects, object)) hash.update(piece);
  return hash.digest('hex');
}
