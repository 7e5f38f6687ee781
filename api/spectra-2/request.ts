// The strict shape of Spectra-2: interface.md, POST /v1/audio/transcriptions and /analysis.
import type { Container } from '../../models/audio/container.ts';
import { limitsOf, mebibyte, spectraModel } from '../../models/contract/catalog.ts';
import { ServiceError } from '../../models/contract/errors.ts';
import { refuseUnknown } from '../speech/request.ts';
import { bodyTooLarge, fileTooLarge } from '../http/refusals.ts';
import type { Form } from '../upload/receive.ts';

const { maxFileBytes } = limitsOf(spectraModel);
/** Of the whole multipart body, exactly. */
export const maxSpectraBodyBytes = maxFileBytes + mebibyte / 64;
const containers: readonly Container[] = ['wav', 'flac', 'pcm16', 'f32le'];

/** @throws ServiceError unknown_field, body_too_large, file_too_large, unsupported_audio */
export function checkSpectraForm({ fields, bytes, file }: Form): void {
  if (bytes > maxSpectraBodyBytes) throw bodyTooLarge(maxSpectraBodyBytes, bytes);
  refuseUnknown(fields, ['model'], `of ${spectraModel}; it takes file and model`);
  if (file.bytes > maxFileBytes) throw fileTooLarge(maxFileBytes);
  if (containers.includes(file.container)) return;
  const allowed = 'mono 16 kHz WAV, FLAC, audio/pcm or audio/f32le';
  const message = `The file is ${file.container}; ${spectraModel} takes ${allowed}.`;
  throw new ServiceError('unsupported_audio', message, { param: 'file' });
}

/** For every other model: samples without a container say nothing of their rate. */
export function refuseRawSamples({ file }: Form): void {
  if (file.container !== 'pcm16' && file.container !== 'f32le') return;
  const message = `Raw samples are for ${spectraModel} only; send a file with a container.`;
  throw new ServiceError('unsupported_audio', message, { param: 'file' });
}
