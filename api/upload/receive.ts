// A multipart upload with one file: stored while it comes, discarded when its fields do not fit.
import type { ParameterizedContext } from 'koa';
import { rawSamplesOf, type Container } from '../../models/audio/container.ts';
import { limitsOf, mebibyte, type CatalogModelId } from '../../models/catalog.ts';
import { ServiceError } from '../../models/errors.ts';
import type { AppDependencies, RequestState } from '../dependencies.ts';
import { bodyTooLarge, readMultipart, type Fields } from './multipart.ts';
import { discardObjects, storeAudio, type StoredAudio } from './store-audio.ts';

const maxFieldBytes = 4_096;

export interface UploadLimits {
  readonly maxFileBytes: number;
  readonly maxBodyBytes: number;
  /** Takes samples without a container when their MIME type declares them. */
  readonly rawSamples?: true;
  /** Of one text field; default 4 KiB. */
  readonly maxFieldBytes?: number;
}

/** contract.md: where the file is limited, the body may be 64 KiB larger. */
export function uploadLimits(model: CatalogModelId): UploadLimits {
  const { maxFileBytes } = limitsOf(model);
  return { maxFileBytes, maxBodyBytes: maxFileBytes + mebibyte / 16 };
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
  { db, objects, uploadDeadlines: deadlines }: AppDependencies,
  ctx: ParameterizedContext<RequestState>,
  limits: UploadLimits,
  check: (form: Form) => T,
): Promise<{ accepted: T; audio: StoredAudio }> {
  const declared = Number(ctx.get('Content-Length') || 0);
  if (declared > limits.maxBodyBytes) throw bodyTooLarge(limits.maxBodyBytes, declared);
  if (/100-continue/i.test(ctx.get('Expect'))) ctx.res.writeContinue();
  const { organizationId } = ctx.state.account;
  let stored: StoredAudio | null = null;
  let filename = '';
  try {
    const { fields, file, bytes } = await readMultipart(
      ctx.req,
      { maxFieldBytes, ...limits, deadlines },
      async (content, { signal, mimeType, filename: name }) => {
        filename = name;
        const raw = limits.rawSamples ? rawSamplesOf(mimeType) : null;
        stored = await storeAudio(content, { db, objects, organizationId, signal, raw });
        return stored;
      },
    );
    if (!file) {
      const message = 'The request has no part named `file` that holds a file.';
      throw new ServiceError('missing_file', message, { param: 'file' });
    }
    return { accepted: check({ fields, bytes, file, filename }), audio: file };
  } catch (error) {
    const left = stored as StoredAudio | null;
    if (left) await discardObjects({ db, objects }, [left.key]);
    throw error;
  }
}
