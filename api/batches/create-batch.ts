// From the body of a request to a batch: what can be refused is refused before it is made.
import {
  createBatch,
  findBatchByKey,
  type NewBatchItem,
  type StoredBatch,
} from '../../db/batches.ts';
import { describeFile, findFiles, type StoredFile } from '../../db/files.ts';
import { hasWebhookSecret } from '../../db/webhook-secrets.ts';
import { sniffBytes, sniffContainer } from '../../models/audio/container.ts';
import { limitsOf } from '../../models/catalog.ts';
import { ServiceError } from '../../models/errors.ts';
import type { AppDependencies, RequestState } from '../dependencies.ts';
import { checkOptions } from './batch-options.ts';
import { parseReceiver } from '../webhooks/receiver.ts';
import { lifeLimits, type BatchRequest } from '../wire/batch-schemas.ts';

export interface MadeBatch {
  readonly batch: StoredBatch | null;
  /** False: the idempotency key is used; `batch` is what it made. */
  readonly made: boolean;
}

/** @throws ServiceError of the 400 row; nothing is made then */
export async function makeBatch(
  dependencies: AppDependencies,
  { account }: Pick<RequestState, 'account'>,
  {
    request,
    idempotencyKey,
    fingerprint,
  }: {
    readonly request: BatchRequest;
    readonly idempotencyKey: string | null;
    readonly fingerprint: string;
  },
): Promise<MadeBatch> {
  const { db } = dependencies;
  const { organizationId, keyId } = account;
  if (idempotencyKey !== null) {
    const batch = await findBatchByKey(db, organizationId, idempotencyKey);
    if (batch) return { batch, made: false };
  }
  const options = checkOptions(request);
  const [items, webhookUrl] = await Promise.all([
    checkItems(dependencies, organizationId, request.items),
    checkWebhook(dependencies, organizationId, request.webhook?.url),
  ]);
  const { task, model, metadata, output_expires_after: expires } = request;
  const batch = await createBatch(db, {
    organizationId,
    keyId,
    task,
    model,
    options,
    metadata,
    webhookUrl,
    items,
    lifeSeconds: expires?.seconds ?? lifeLimits.max,
    idempotencyKey,
    fingerprint,
  });
  if (batch) return { batch, made: true };
  // The same key came twice at once, and the other one was faster.
  return { batch: await findBatchByKey(db, organizationId, idempotencyKey!), made: false };
}

async function checkItems(
  dependencies: AppDependencies,
  organizationId: string,
  items: BatchRequest['items'],
): Promise<readonly NewBatchItem[]> {
  const seen = new Set<string>();
  items.forEach(({ custom_id: customId }, i) => {
    if (seen.has(customId)) {
      const param = `items.${i}.custom_id`;
      throw new ServiceError('invalid_field', `\`${param}\` was used before.`, { param });
    }
    seen.add(customId);
  });
  const ids = [...new Set(items.map((item) => item.file_id))];
  const files = await findFiles(dependencies.db, organizationId, ids);
  const byId = new Map(files.map((file) => [file.id, file]));
  const checked: NewBatchItem[] = [];
  for (const [i, { custom_id: customId, file_id: fileId, metadata }] of items.entries()) {
    const param = `items.${i}.file_id`;
    const found = byId.get(fileId);
    if (!found) {
      throw new ServiceError('invalid_field', `\`${param}\`: there is no such file.`, { param });
    }
    const file = found.container === null ? await lookAt(dependencies, found, param) : found;
    byId.set(fileId, file);
    const { object_key: objectKey, container, bytes } = file;
    checked.push({ customId, metadata, fileId, objectKey, container: container!, bytes: bytes! });
  }
  return checked;
}

/** A file that went straight to storage is seen here for the first time. */
async function lookAt(
  { db, objects }: AppDependencies,
  file: StoredFile,
  param: string,
): Promise<StoredFile> {
  const bytes = await objects.size(file.object_key);
  const refuse = (message: string): ServiceError =>
    new ServiceError('invalid_field', `\`${param}\`: ${message}.`, { param });
  if (bytes === null) throw refuse('the file has not been uploaded yet');
  const { maxFileBytes } = limitsOf('svc-resonance');
  if (bytes === 0 || bytes > maxFileBytes) throw refuse(`the file has ${bytes} bytes`);
  const head = await objects.getRange(file.object_key, 0, Math.min(bytes, sniffBytes));
  const container = sniffContainer(head);
  if (!container) {
    const message = `\`${param}\`: the file is none of WAV, FLAC, MP3, M4A, OGG or WebM.`;
    throw new ServiceError('unsupported_audio', message, { param });
  }
  await describeFile(db, file.id, { container, bytes, sha256: null });
  return { ...file, container, bytes };
}

async function checkWebhook(
  { db, webhookNetworks }: AppDependencies,
  organizationId: string,
  url: string | undefined,
): Promise<string | null> {
  if (url === undefined) return null;
  const param = 'webhook.url';
  const receiver = await parseReceiver(url, webhookNetworks, param);
  if (!(await hasWebhookSecret(db, organizationId))) {
    const message =
      'Make the secret that webhooks are signed with first: POST /v1/webhooks/secret.';
    throw new ServiceError('invalid_field', message, { param });
  }
  return receiver.href;
}
