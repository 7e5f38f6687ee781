// Files that batches analyse.
import { formBody, type Recording } from './recording.ts';
import type {
  Deleted,
  File as StoredFile,
  FileList,
  PresignedFile,
  SourcedFileRequest,
} from './schemas.ts';
import { jsonBody, type CallOptions, type Transport } from './transport.ts';
import { inQuery, keyedBy, type KeyedCall, type PageOptions } from './call-options.ts';

export interface UploadOptions extends KeyedCall {
  /** 3,600 to 2,592,000; default 30 days. */
  readonly expiresAfterSeconds?: number;
}

export interface Files {
  upload(recording: Recording, options?: UploadOptions): Promise<StoredFile>;
  /**
   * A file that the service fetches when a batch analyses it.
   * @param url `https://…` or `s3://BUCKET/KEY`
   */
  fromAddress(
    url: string,
    options?: UploadOptions & { readonly filename?: string },
  ): Promise<StoredFile>;
  /** A file whose bytes are to be PUT to `upload.url` with exactly `upload.headers`. */
  presign(
    file: { readonly filename: string; readonly bytes: number },
    options?: KeyedCall,
  ): Promise<PresignedFile>;
  list(page?: PageOptions): Promise<FileList>;
  read(id: string, call?: CallOptions): Promise<StoredFile>;
  remove(id: string, call?: CallOptions): Promise<Deleted>;
}

const path = '/v1/files';

export function createFiles(transport: Transport): Files {
  return {
    upload: (recording, { expiresAfterSeconds, ...options } = {}) =>
      transport.json({
        method: 'POST',
        path,
        body: formBody(recording, {
          'expires_after[anchor]': expiresAfterSeconds === undefined ? undefined : 'created_at',
          'expires_after[seconds]': expiresAfterSeconds,
        }),
        ...keyedBy(options),
      }),
    fromAddress: (url, { filename, expiresAfterSeconds: seconds, ...options } = {}) => {
      const expires = seconds !== undefined && {
        expires_after: { anchor: 'created_at' as const, seconds },
      };
      const order: SourcedFileRequest = {
        source: { url },
        ...(filename !== undefined && { filename }),
        ...expires,
      };
      return transport.json({ method: 'POST', path, body: jsonBody(order), ...keyedBy(options) });
    },
    presign: ({ filename, bytes }, options) =>
      transport.json({
        method: 'POST',
        path: `${path}/presign`,
        body: jsonBody({ filename, bytes }),
        ...keyedBy(options),
      }),
    list: ({ signal, ...page } = {}) =>
      transport.json({ path: path + inQuery(page), ...(signal && { signal }) }),
    read: (id, call) => transport.json({ path: `${path}/${encodeURIComponent(id)}`, ...call }),
    remove: (id, call) => {
      const ifGone: Deleted = { id, object: 'file', deleted: true };
      const at = `${path}/${encodeURIComponent(id)}`;
      return transport.json({ method: 'DELETE', path: at, ifGone, ...call });
    },
  };
}
