// The errors of request bodies and forms, worded the same everywhere.
import { ServiceError } from '../../models/contract/errors.ts';

/** The error for a declared or counted body size. */
export function bodyTooLarge(maxBytes: number, received: number | string): ServiceError {
  const message = `The request body may have at most ${maxBytes} bytes, got ${received}.`;
  return new ServiceError('body_too_large', message);
}

/** @param param the field that has the file or names its size */
export function fileTooLarge(
  maxBytes: number,
  received: number | string,
  param = 'file',
): ServiceError {
  const message = `The file may have at most ${maxBytes} bytes, got ${received}.`;
  return new ServiceError('file_too_large', message, { param });
}

export function duplicate(name: string): ServiceError {
  const message = `\`${name.slice(0, 64)}\` was given twice.`;
  return new ServiceError('duplicate_field', message, { param: name.slice(0, 64) });
}

/** The error for a field's value. */
export function invalid(param: string, message: string): ServiceError {
  return new ServiceError('invalid_field', message, { param });
}

export function brokenMultipart(reason: string): ServiceError {
  return new ServiceError('invalid_multipart', `The multipart body cannot be read: ${reason}.`);
}
