// Creates a batch from a parsed request: whatever can be rejected is rejected before it is stored.
import { findBatchByKey } from '../../db/batches.ts';
import { createBatch, FilesGone } from '../../db/create-batch.ts';
import { uploadOf } from '../../db/file-contents.ts';
import { findFiles, type StoredFile } from '../../db/files.ts';
import { newUploadKey } from '../../db/object-keys.ts';
import { newId } from '../../db/secrets.ts';
import { hasWebhookSecret } from '../../db/webhook-secrets.ts';
import type { RequestedItem, ResolvedItem } from '../../models/contract/batch-item.ts';
import { filenameOfSource } from '../../models/contract/source.ts';
import { requireSource } from '../sources/require-source.ts';
import { ServiceError } from '../../models/contract/errors.ts';
import { requireVocabulary } from '../fields/vocabulary.ts';
import { checkOptions } from './batch-options.ts';
import { inspectFiles, type UnseenFile } from './inspect-files.ts';
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

type CreateParameters = readonly [
  dependencies: BatchDependencies,
  state: Pick<RequestState, 'account'>,
  parsed: ParsedBatch,
  idempotencyKey: string | null,
];

/** @throws ServiceError 400, 402; then nothing was stored */
export function createOrReplay(...parameters: CreateParameters): Promise<CreatedBatch> {
  return tryToCreate(...parameters).catch((error: unknown) => {
    if (!(error instanceof FilesGone)) throw error;
    // Looked up again, so that the answer names the file that is missing.
    return tryToCreate(...parameters);
  });
}

/** @throws FilesGone */
async function tryToCreate(
  ...[dependencies, { account }, parsed, idempotencyKey]: CreateParameters
): Promise<CreatedBatch> {
  const { head, items: requested, fingerprint } = parsed;
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
  const { sourceNetworks } = dependencies;
  const checked: CheckedItem[] = [];
  const unseen = new Map<string, UnseenFile>();
  let refusal: unknown = null;
  try {
    for (const [i, { recording, ...item }] of items.entries()) {
      if ('sourceUrl' in recording) {
        const url = requireSource(recording.sourceUrl, sourceNetworks, `items.${i}.source.url`);
        checked.push({ ...item, ...newSource(organizationId, url) });
        continue;
      }
      const param = `items.${i}.file_id`;
      const file = requireFile(files, recording.fileId, param);
      const { id: fileId, objectKey: key } = file;
      const upload = uploadOf(file) ?? (file.sourceUrl === null ? null : { key, fileId });
      if (!upload && !unseen.has(fileId)) unseen.set(fileId, { id: fileId, key, param });
      checked.push({ ...item, fileId, upload });
    }
  } catch (error) {
    refusal = error;
  }
  // A file that is named before the refused item is reported before it.
  const uploads = await inspectFiles(dependencies, [...unseen.values()]);
  if (refusal) throw refusal;
  return checked.map((item) => ({ ...item, upload: item.upload ?? uploads.get(item.fileId)! }));
}

/** `upload` is null for a presigned upload that was not inspected yet. */
interface CheckedItem extends Omit<ResolvedItem, 'upload'> {
  readonly upload: ResolvedItem['upload'] | null;
}

function newSource(organizationId: string, url: URL) {
  const fileId = newId('file-');
  const source = { url: url.href, filename: filenameOfSource(url) };
  return { fileId, upload: { key: newUploadKey(organizationId), fileId }, source };
}

function requireFile(
  files: ReadonlyMap<string, StoredFile>,
  id: string,
  param: string,
): StoredFile {
  const file = files.get(id);
  if (file) return file;
  const message = `\`${param}\`: there is no file with the id ${id}.`;
  throw new ServiceError('invalid_field', message, { param });
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
