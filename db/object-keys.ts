// Where objects lie. Request ids are hashed: a caller chose them, and keys are seen by operators.
import { createHash, randomUUID } from 'node:crypto';

/** What names the objects of one run of a request. */
export interface RunRef {
  readonly organizationId: string;
  readonly requestId: string;
  readonly attempt: number;
}

/** First 32 hex digits of the sha256 of a request id. */
export function requestHash(requestId: string): string {
  return createHash('sha256').update(requestId).digest('hex').slice(0, 32);
}

export function newUploadKey(organizationId: string): string {
  return `uploads/${organizationId}/${randomUUID()}`;
}

/** Prefix of everything that a run writes on its way. */
export function workPrefix({ organizationId, requestId, attempt }: RunRef): string {
  return `work/${organizationId}/${requestHash(requestId)}/${attempt}/`;
}

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

export function resultKey({ organizationId, requestId, attempt }: RunRef): string {
  return `results/${organizationId}/${requestHash(requestId)}/${attempt}.json`;
}
