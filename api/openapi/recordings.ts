// Error codes and headers of the operations that take a recording.
import { z } from 'zod';
import type { ErrorCode } from '../../models/contract/errors.ts';
import { keyCodes } from './responses.ts';

/** Codes for the form and its recording. */
const audioCodes: readonly ErrorCode[] = [
  'missing_file',
  'invalid_field',
  'duplicate_field',
  'invalid_multipart',
  'unsupported_audio',
  'audio_undecodable',
  'audio_too_short',
  'audio_too_long',
  'model_not_found',
  'model_not_supported',
  'model_retired',
];

/** Those of the strict forms that answer 422 instead. */
export const unprocessableCodes: readonly ErrorCode[] = [
  ...audioCodes,
  'unknown_field',
  'unsupported_media_type',
];

/** Codes for the upload and the run. */
export const uploadCodes: readonly ErrorCode[] = [
  ...keyCodes,
  'upload_timeout',
  'body_too_large',
  'file_too_large',
  'model_unavailable',
  'timeout',
];

const conflictCodes: readonly ErrorCode[] = [
  'request_in_progress',
  'request_already_completed',
  'idempotency_conflict',
];

/** Codes of every operation that takes a recording and answers in the envelope. */
export const fileCodes: readonly ErrorCode[] = [
  ...audioCodes,
  ...uploadCodes,
  ...conflictCodes,
  'allowance_exhausted',
  'unsupported_media_type',
];

export const ignoredFields = {
  'X-Svc-Ignored-Fields': z
    .string()
    .optional()
    .meta({
      description:
        'Names of fields that the shape does not have, percent-encoded; `?name`: of the query; ' +
        '`+n`: so many more.',
    }),
};
