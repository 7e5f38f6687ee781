// A multipart upload with one file: stored while it comes, discarded when its fields do not fit.
import type { ParameterizedContext } from 'koa';
import type { Container } from '../../models/contract/containers.ts';
import type { ModelId } from '../../models/contract/catalog.ts';
import { isOfShape, limitsOf } from '../../models/contract/served-models.ts';
import { ServiceError } from '../../models/contract/errors.ts';
import { readMultipart, type Fields } from '../http/multipart.ts';
import { discardObjects, storeAudio, type StoredAudio } from './store-audio.ts';
import type { RequestState } from '../http/request-state.ts';
import type { HttpDependencies } from '../http/dependencies.ts';
import type { ObjectStore } from '../../db/object-store.ts';

export interface UploadDependencies extends HttpDependencies {
  readonly objects: ObjectStore;
}

const maxFieldBytes = 4_096;

export interface UploadLimits {
  readonly maxFileBytes: number;
  readonly maxBodyBytes: number;
  /** Takes samples without a container when their MIME type declares them. */
  readonly rawSamples?: true;
  /** Of one text field; default 4 KiB. */
  readonly maxFieldBytes?: number;
  /** Fields that may be given more than once: their values are joined by line feeds. */
  readonly repeatable?: readonly string[];
  /** Of the whole body, when the form names a model with another limit. */
  readonly maxBodyBytesOf?: (model: string) => number | null;
}

/** Room for the largest file and form of the models that an endpoint serves. */
export function uploadLimits(...ids: readonly ModelId[]): UploadLimits {
  const limits = ids.map(limitsOf);
  return {
    maxFileBytes: Math.max(...limits.map((each) => each.maxFileBytes)),
    maxBodyBytes: Math.max(...limits.map((each) => each.maxBodyBytes)),
  };
}

export interface Form {
  readonly fields: Fields;
  /** Of the whole body. */
  readonly bytes: number;
  readonly file: { readonly container: Container; readonly bytes: number };
  /** As declared; empty without one. */
  readonly filename: string;
}

/**
 * Refuses a declared body that is too large unread, then reads the body, stores the audio and
 * checks the fields; a refusal leaves nothing behind.
 */
export async function receiveUpload<T>(
  { db, objects, uploadDeadlines }: UploadDependencies,
  ctx: ParameterizedContext<RequestState>,
  limits: UploadLimits,
  check: (form: Form) => T | Promise<T>,
): Promise<{ accepted: T; audio: StoredAudio }> {
  const { account, slot } = ctx.state;
  const { organizationId } = account;
  const { maxBodyBytes: maxBytes, maxBodyBytesOf } = limits;
  let model = '';
  let stored: StoredAudio | null = null;
  let filename = '';
  try {
    const { fields, file, bytes } = await readMultipart(
      {
        ...{ request: ctx.req, response: ctx.res, deadlines: uploadDeadlines, slot, maxBytes },
        ...{ maxFieldBytes, ...limits },
        onField: (name, value) => {
          if (name !== 'model') return null;
          model = value;
          const maxBodyBytes = maxBodyBytesOf?.(model) ?? null;
          return maxBodyBytes === null ? null : { maxBodyBytes };
        },
      },
      async (content, { signal, mimeType, filename: name }) => {
        filename = name;
        const { rawSamples = false } = limits;
        const sink = { db, objects, organizationId, signal, mimeType, rawSamples };
        stored = await storeAudio(content, sink);
        return stored;
      },
    );
    slot.pin();
    if (!file) {
      const message = 'The request has no part named `file` that holds a file.';
      throw new ServiceError('missing_file', message, { param: 'file' });
    }
    return { accepted: await check({ fields, bytes, file, filename }), audio: file };
  } catch (error) {
    const left = stored as StoredAudio | null;
    if (left) await discardObjects({ db, objects }, [left.key]);
    throw error === slot.revoked.reason && isOfShape(model, 'spectra-2')
      ? uploadBusy(slot.revoked.reason as ServiceError)
      : error;
  }
}

/** Spectra-2 has a code of its own for it. */
function uploadBusy({ message }: ServiceError): ServiceError {
  return new ServiceError('upload_busy', message, { retryAfterSeconds: 1 });
}
