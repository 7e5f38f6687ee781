// Validates the recording of a form against the limits of its model, and describes it in OpenAPI.
import { mebibyte } from '../../models/contract/catalog.ts';
import type { ModelLimits } from '../../models/contract/catalog-row.ts';
import type { ModelId } from '../../models/contract/catalog.ts';
import { namesOf } from '../../models/contract/containers.ts';
import { ServiceError } from '../../models/contract/errors.ts';
import { limitsOf } from '../../models/contract/served-models.ts';
import { bodyTooLarge, fileTooLarge } from '../http/form-errors.ts';
import type { Form } from '../upload/receive.ts';

/** @throws ServiceError body_too_large, file_too_large, unsupported_audio */
export function checkAudioFile({ bytes, file }: Pick<Form, 'bytes' | 'file'>, model: ModelId) {
  const limits = limitsOf(model);
  if (bytes > limits.maxBodyBytes) throw bodyTooLarge(limits.maxBodyBytes, bytes);
  if (file.bytes > limits.maxFileBytes) {
    throw fileTooLarge(limits.maxFileBytes, file.bytes);
  }
  if (limits.containers.includes(file.container)) return;
  const received = namesOf([file.container]);
  const message = `The file is ${received}; ${model} accepts ${acceptedFormats(limits)}.`;
  throw new ServiceError('unsupported_audio', message, { param: 'file' });
}

/** `WAV, FLAC or OGG; 1 to 60 s, 12 MiB`. */
export function describeAudioFile(limits: ModelLimits): string {
  return `${acceptedFormats(limits)}; ${lengthText(limits)}, ${limits.maxFileBytes / mebibyte} MiB`;
}

function acceptedFormats({ mono16kHz, containers }: ModelLimits): string {
  return (mono16kHz ? 'mono 16 kHz ' : '') + namesOf(containers);
}

function lengthText({ minSeconds, maxSeconds }: ModelLimits): string {
  const whole = maxSeconds >= 600 && maxSeconds % 60 === 0;
  const most = whole ? `${maxSeconds / 60} minutes` : `${maxSeconds} s`;
  return `${minSeconds} s to ${most}`;
}
