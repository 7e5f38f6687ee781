// A multipart upload with one file: stored while it arrives, owned while its request is served.
import type { ParameterizedContext } from 'koa';
import type { ModelId } from '../../models/contract/catalog.ts';
import type { ModelLimits } from '../../models/contract/catalog-row.ts';
import type { Container } from '../../models/contract/containers.ts';
import { isOfShape, limitsOf } from '../../models/contract/served-models.ts';
import { ServiceError } from '../../models/contract/errors.ts';
import { readMultipart, type Fields } from '../http/multipart.ts';
import { withOwnedObjects, type OwnedObjects, type ObjectStores } from './owned-objects.ts';
import { storeUpload, type OwnedUpload } from './store-upload.ts';
import type { RequestState } from '../http/request-state.ts';
import type { HttpDependencies } from '../http/dependencies.ts';

export interface UploadDependencies extends HttpDependencies, ObjectStores {}

const maxFieldBytes = 4_096;

export interface UploadLimits {
  readonly maxFileBytes: number;
  readonly maxBodyBytes: number;
  /** What some model of the endpoint takes. */
  readonly containers: readonly Container[];
  /** Limit of one text field; default 4 KiB. */
  readonly maxFieldBytes?: number;
  /** Fields that may be repeated: their values are joined by line feeds. */
  readonly repeatable?: readonly string[];
  /** Fields that some clients send as files. */
  readonly textFiles?: readonly string[];
  /** Limits of a model that the endpoint serves among others; null for an unknown one. */
  readonly ofModel?: (model: string) => ModelLimits | null;
}

/** The limits that admit the largest file and form of any model of an endpoint. */
export function uploadLimits(...ids: readonly ModelId[]): UploadLimits {
  const limits = ids.map(limitsOf);
  return {
    maxFileBytes: Math.max(...limits.map((each) => each.maxFileBytes)),
    maxBodyBytes: Math.max(...limits.map((each) => each.maxBodyBytes)),
    containers: [...new Set(limits.flatMap(({ containers }) => containers))],
  };
}

export interface Form {
  readonly fields: Fields;
  /** Bytes of the whole body. */
  readonly bytes: number;
  readonly file: OwnedUpload;
  /** File name that the part declares; empty without one. */
  readonly filename: string;
}

/** What an endpoint accepts: the limits of the body, and the check of its fields. */
export interface UploadForm<T> {
  readonly limits: UploadLimits;
  readonly check: (form: Form) => T | Promise<T>;
}

/**
 * Rejects a body that is declared too large without reading it; otherwise reads the body, stores
 * the file, checks the fields and serves the request. Afterwards the upload is deleted, whatever
 * the outcome, unless `serve` has handed it over.
 */
export function withUpload<T, R>(
  dependencies: UploadDependencies,
  ctx: ParameterizedContext<RequestState>,
  { limits, check }: UploadForm<T>,
  serve: (accepted: T, upload: OwnedUpload) => Promise<R>,
): Promise<R> {
  return withOwnedObjects(dependencies, async (owner) => {
    const form = await receiveForm(dependencies, ctx, { limits, owner });
    return serve(await check(form), form.file);
  });
}

async function receiveForm(
  { db, objects, uploadDeadlines }: UploadDependencies,
  ctx: ParameterizedContext<RequestState>,
  { limits, owner }: { readonly limits: UploadLimits; readonly owner: OwnedObjects },
): Promise<Form> {
  const { account, slot } = ctx.state;
  const { organizationId } = account;
  const { maxBodyBytes: maxBytes, containers, ofModel } = limits;
  let model = '';
  let filename = '';
  try {
    const { fields, file, bytes } = await readMultipart(
      {
        ...{ request: ctx.req, response: ctx.res, deadlines: uploadDeadlines, slot, maxBytes },
        ...{ maxFieldBytes, ...limits },
        onField: (name, value) => {
          if (name !== 'model') return null;
          model = value;
          return ofModel?.(model) ?? null;
        },
      },
      async (content, { signal, mimeType, filename: name }) => {
        filename = name;
        const asked = ofModel?.(model)?.containers ?? containers;
        const part = { signal, mimeType, asked };
        return storeUpload(content, { db, objects, owner, organizationId, ...part });
      },
    );
    slot.pin();
    if (!file) {
      const message = 'The request must have a part named `file` that holds a file.';
      throw new ServiceError('missing_file', message, { param: 'file' });
    }
    return { fields, bytes, file, filename };
  } catch (error) {
    throw error === slot.revoked.reason && isOfShape(model, 'spectra-2')
      ? uploadBusy(slot.revoked.reason as ServiceError)
      : error;
  }
}

/** Spectra-2 reports a preempted upload under a code of its own. */
function uploadBusy({ message }: ServiceError): ServiceError {
  return new ServiceError('upload_busy', message, { retryAfterSeconds: 1 });
}
