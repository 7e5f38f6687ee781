// The keys of objects. Request ids are hashed, because callers chose them and operators see the
// keys.
import { createHash, randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { RequestRef } from './request-ref.ts';

/** First 32 hex digits of the sha256 of an id. */
export function idHash(id: string): string {
  return createHash('sha256').update(id).digest('hex').slice(0, 32);
}

export function newUploadKey(organizationId: string): string {
  return `uploads/${organizationId}/${randomUUID()}`;
}

/**
 * An empty object that keeps the folder of an organization's uploads in existence. A gateway that
 * stores objects as files removes a folder with its last object, even during a PUT, and the service
 * cannot repeat a caller's PUT to a presigned URL.
 */
export function uploadFolderKey(organizationId: string): string {
  return `uploads/${organizationId}/folder`;
}

/** Prefix of all working objects of a run. */
export function workPrefix({ organizationId, requestId, attempt }: RequestRef): string {
  return `work/${organizationId}/${idHash(requestId)}/${attempt}/`;
}

/** Organization, hashed id and attempt of a row of `requests`, as in its keys. */
const attemptPathInSql = sql<string>`organization_id || '/'
  || left(encode(sha256(convert_to(request_id, 'UTF8')), 'hex'), 32) || '/' || attempt`;

/** `workPrefix` of a row of `requests`. */
export const workPrefixInSql = sql<string>`'work/' || ${attemptPathInSql} || '/'`;

/** `resultKey` of a row of `requests`. */
export const resultKeyInSql = sql<string>`'results/' || ${attemptPathInSql} || '.json'`;

/** Prefix of the results of a batch. */
export function batchPrefix(organizationId: string, batchId: string): string {
  return `batches/${organizationId}/${batchId}/`;
}

export function batchResultKey(
  organizationId: string,
  { id, position }: { readonly id: string; readonly position: number },
): string {
  return `${batchPrefix(organizationId, id)}${String(position).padStart(6, '0')}.json`;
}

const organization = '(org_[0-9a-f]{24})';
const ownKeys = [
  new RegExp(`^(uploads/${organization}/[0-9a-f-]{36})$`),
  new RegExp(`^(work/${organization}/[0-9a-f]{32}/\\d+/).+$`),
  new RegExp(`^(results/${organization}/[0-9a-f]{32}/\\d+\\.json)$`),
  new RegExp(`^(batches/${organization}/batch_[0-9a-f]{24}/).+$`),
];

/**
 * The organization of an object, and the key of its row; null for an object of another application.
 */
export function ownerOf(
  key: string,
): { readonly rowKey: string; readonly organizationId: string } | null {
  const found = ownKeys.map((pattern) => pattern.exec(key)).find((match) => match !== null);
  return found ? { rowKey: found[1]!, organizationId: found[2]! } : null;
}

export function resultKey({ organizationId, requestId, attempt }: RequestRef): string {
  return `results/${organizationId}/${idHash(requestId)}/${attempt}.json`;
}
