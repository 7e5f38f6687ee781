// The fields of a file that is uploaded for a batch.
import { lifeLimits } from '../batches/schemas.ts';
import { refuseUnknown } from '../speech/request.ts';
import { refuseRawSamples } from '../spectra-2/request.ts';
import type { Form } from '../upload/receive.ts';
import { invalid } from '../http/refusals.ts';

export interface FileRequest {
  readonly filename: string;
  readonly lifeSeconds: number;
}

const anchor = 'expires_after[anchor]';
const seconds = 'expires_after[seconds]';
const maxFilenameLength = 255;

/** @throws ServiceError unknown_field, invalid_field */
export function parseFileFields(form: Form): FileRequest {
  const { fields, filename } = form;
  refuseRawSamples(form);
  refuseUnknown(fields, ['purpose', anchor, seconds], 'of a file');
  if ((fields.get('purpose') || 'batch') !== 'batch') {
    throw invalid('purpose', '`purpose` takes batch.');
  }
  if ((fields.get(anchor) || 'created_at') !== 'created_at') {
    throw invalid(anchor, `\`${anchor}\` takes created_at.`);
  }
  return {
    filename: filename.replaceAll(/\p{Cc}/gu, '').slice(0, maxFilenameLength) || 'recording',
    lifeSeconds: parseLife(fields.get(seconds)),
  };
}

function parseLife(text: string | undefined): number {
  const { min, max } = lifeLimits;
  if (text === undefined || text === '') return max;
  const life = /^\d{1,8}$/.test(text) ? Number(text) : Number.NaN;
  if (life >= min && life <= max) return life;
  throw invalid(seconds, `\`${seconds}\` takes whole seconds from ${min} to ${max}.`);
}
