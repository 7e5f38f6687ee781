// Maps rows of files to the API's objects.
import type { StoredFile } from '../../db/files.ts';
import { shownSource } from '../../models/contract/source.ts';
import type { FileBody } from './schemas.ts';

export function toFileBody(file: StoredFile): FileBody {
  const { id, filename, bytes, reservedBytes, sha256, container, sourceUrl } = file;
  return {
    id,
    object: 'file',
    purpose: 'batch',
    status: container === null ? 'pending' : 'processed',
    filename,
    // Storage takes exactly what was declared.
    bytes: bytes ?? reservedBytes,
    source: sourceUrl === null ? null : { url: shownSource(sourceUrl) },
    sha256,
    created_at: toUnixSeconds(file.createdAt),
    expires_at: toUnixSeconds(file.expiresAt),
  };
}

export function toUnixSeconds(date: Date): number {
  return Math.floor(date.getTime() / 1_000);
}
