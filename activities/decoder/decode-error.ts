// A reason, meant for the caller, why an upload cannot be decoded.
import { ServiceError, type ErrorCode } from '../../models/errors.ts';

export class DecodeError extends Error {
  override readonly name = 'DecodeError';
  readonly code: ErrorCode;
  /** Nobody had a reason to end its process. */
  readonly processDied: boolean;

  constructor(code: ErrorCode, message: string, { processDied = false } = {}) {
    super(message);
    this.code = code;
    this.processDied = processDied;
  }
}

/** What is thrown in the parent. */
export function refusalOf({ code, message, processDied }: DecodeError): ServiceError {
  const details = { param: 'file' };
  return processDied
    ? new DecoderDied(code, message, details)
    : new ServiceError(code, message, details);
}

/** The decoder's process ended in the middle: by the recording, or by something else. */
export class DecoderDied extends ServiceError {}

export function undecodable(reason: string): DecodeError {
  return new DecodeError('audio_undecodable', `The audio cannot be decoded: ${reason}.`);
}

/** The process ended without a word. */
export function died(): DecodeError {
  const message = 'The audio cannot be decoded: the decoder crashed on it.';
  return new DecodeError('audio_undecodable', message, { processDied: true });
}

/** Readable, but not what the model takes. */
export function unsupported(reason: string): DecodeError {
  return new DecodeError('unsupported_audio', `The audio is not supported: ${reason}.`);
}

/** Thrown as soon as decoded samples pass the limit; the whole length is never decoded. */
export function tooLong(maxSeconds: number): DecodeError {
  return new DecodeError(
    'audio_too_long',
    `The audio is longer than the ${maxSeconds} seconds that are allowed.`,
  );
}
