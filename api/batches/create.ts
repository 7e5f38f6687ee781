// Creates a batch from a parsed request: whatever can be rejected is rejected before it is stored.
import { findBatchByKey } from '../../db/batches.ts';
import { createBatch } from '../../db/create-batch.ts';
import { describeFile, findFiles, type StoredFile } from '../../db/files.ts';
import { newUploadKey } from '../../db/object-keys.ts';
import { newId } from '../../db/secrets.ts';
import { hasWebhookSecret } from '../../db/webhook-secrets.ts';
import { sniffBytes, sniffContainer } from '../../models/audio/container.ts';
import type { RequestedItem, ResolvedItem } from '../../models/contract/batch-item.ts';
import type { UploadedAudio } from '../../models/contract/recording-request.ts';
import { namesOf, selfDescribing } from '../../models/contract/containers.ts';
import { commonModels } from '../../models/contract/served-models.ts';
import { filenameOfSource } from '../../models/contract/source.ts';
import { requireSource } from '../sources/require-source.ts';
import { uploadLimits } from '../upload/receive.ts';
import { ServiceError } from '../../models/contract/errors.ts';
import { requireVocabulary } from '../upload/vocabulary.ts';
import { checkOptions } from './batch-options.ts';
import { noWebhookSecret, parseReceiver } from '../webhooks/receiver.ts';
import { lifetimeLimits } from '../files/schemas.ts';
import type { ParsedBatch } from './parse-batch.ts';
import type { RequestState } from '../http/request-state.ts';
import type { BatchDependencies } from './dependencies.ts';
import type { StoredBatch } from '../../db/batch-tables.ts';

const filesAtOnce = 250;

export interface CreatedBatch {
  readonly batch: StoredBatch | null;
  /** False when the idempotency key was used before; `batch` is the one that it created. */
  readonly created: boolean;
}

/** @throws ServiceError 400, 402; then nothing was stored */
export async function createOrReplay(
  dependencies: BatchDependencies,
  { account }: Pick<RequestState, 'account'>,
  { head, items: requested, fingerprint }: ParsedBatch,
  idempotencyKey: string | null,
): Promise<CreatedBatch> {
  const { db, bundles } = dependencies;
  const { organizationId, keyId, redaction, vocabulary } = account;
  if (idempotencyKey !== null) {
    const batch = await findBatchByKey(db, organizationId, idempotencyKey);
    if (batch) return { batch, created: false };
  }
  const options = checkOptions(head);
  requireVocabulary({ model: head.model, options }, bundles, 'options.vocabulary');
  const [items, webhookUrl] = await Promise.all([
    checkItems(dependencies, organizationId, requested),
    checkWebhook(dependencies, organizationId, head.webhook?.url),
  ]);
  const { task, model, metadata, output_expires_after: expires } = head;
  const batch = await createBatch(db, {
    organizationId,
    keyId,
    task,
    model,
    options: {
      ...options,
      ...(redaction && { organizationRedaction: redaction }),
      ...(vocabulary.length > 0 && { organizationVocabulary: vocabulary }),
    },
    metadata,
    webhookUrl,
    items,
    lifetimeSeconds: expires?.seconds ?? lifetimeLimits.max,
    idempotencyKey,
    fingerprint,
  });
  if (batch) return { batch, created: true };
  // A concurrent request with the same key has created the batch.
  return { batch: await findBatchByKey(db, organizationId, idempotencyKey!), created: false };
}

/** Adds to each item the recording that its file holds, or a file for its address. */
async function checkItems(
  dependencies: BatchDependencies,
  organizationId: string,
  items: readonly RequestedItem[],
): Promise<readonly ResolvedItem[]> {
  const files = await filesOf(dependencies, organizationId, items);
  const uploads = new Map<string, ResolvedItem['upload']>();
  const found: ResolvedItem[] = [];
  for (const [i, { recording, ...item }] of items.entries()) {
    if ('sourceUrl' in recording) {
      const param = `items.${i}.source.url`;
      const url = requireSource(recording.sourceUrl, dependencies.sourceNetworks, param);
      const fileId = newId('file-');
      const source = { url: url.href, filename: filenameOfSource(url) };
      const upload = { key: newUploadKey(organizationId), fileId };
      found.push({ ...item, fileId, upload, source });
      continue;
    }
    const { fileId } = recording;
    const param = `items.${i}.file_id`;
    const file = files.get(fileId);
    if (!file) {
      throw new ServiceError(
        'invalid_field',
        `\`${param}\`: there is no file with the id ${fileId}.`,
        { param },
      );
    }
    const upload =
      uploads.get(fileId) ?? uploadOf(file) ?? (await inspectFile(dependencies, file, param));
    uploads.set(fileId, upload);
    found.push({ ...item, fileId, upload });
  }
  return found;
}

/** Files by their id, read in steps, because a single read would delay other requests. */
async function filesOf(
  { db }: BatchDependencies,
  organizationId: string,
  items: readonly RequestedItem[],
): Promise<Map<string, StoredFile>> {
  const ids = [
    ...new Set(items.flatMap(({ recording }) => ('fileId' in recording ? [recording.fileId] : []))),
  ];
  const byId = new Map<string, StoredFile>();
  for (let at = 0; at < ids.length; at += filesAtOnce) {
    const files = await findFiles(db, organizationId, ids.slice(at, at + filesAtOnce));
    for (const file of files) byId.set(file.id, file);
  }
  return byId;
}

/** Null for a presigned upload that was not inspected yet. */
function uploadOf(file: StoredFile): ResolvedItem['upload'] | null {
  const { id: fileId, objectKey: key, container, bytes, sha256, sourceUrl } = file;
  if (container === null && sourceUrl !== null) return { key, fileId };
  if (container === null || bytes === null) return null;
  return { key, container, bytes, ...(sha256 && { sha256 }) };
}

/** Inspects a presigned upload, which the service has not read before. */
async function inspectFile(
  { db, objects }: BatchDependencies,
  { id, objectKey: key }: StoredFile,
  param: string,
): Promise<UploadedAudio> {
  const bytes = await objects.size(key);
  const invalidFile = (message: string): ServiceError =>
    new ServiceError('invalid_field', `\`${param}\`: ${message}.`, { param });
  if (bytes === null) throw invalidFile('the file has not been uploaded yet');
  const { maxFileBytes } = uploadLimits(...commonModels);
  if (bytes === 0 || bytes > maxFileBytes)
    throw invalidFile(`the file has ${bytes} bytes, allowed are 1 to ${maxFileBytes}`);
  const head = await objects.getRange(key, 0, Math.min(bytes, sniffBytes));
  const container = sniffContainer(head);
  if (!container) {
    const message = `\`${param}\`: the file is not ${namesOf(selfDescribing)}.`;
    throw new ServiceError('unsupported_audio', message, { param });
  }
  await describeFile(db, id, { container, bytes, sha256: null });
  return { key, container, bytes };
}

async function checkWebhook(
  { db, webhookNetworks }: BatchDependencies,
  organizationId: string,
  url: string | undefined,
): Promise<string | null> {
  if (url === undefined) return null;
  const param = 'webhook.url';
  const receiver = await parseReceiver(url, webhookNetworks, param);
  if (!(await hasWebhookSecret(db, organizationId))) throw noWebhookSecret(param);
  return receiver.href;
}
