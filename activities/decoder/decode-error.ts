// A reason, meant for the caller, why an upload cannot be decoded.
import { ServiceError, type ErrorCode } from '../../models/errors.ts';

export class DecodeError extends Error {
  override readonly name = 'DecodeError';
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

/** The decoder's process ended without a word: by the recording, or by something else. */
export class DecoderDied extends ServiceError {
  constructor() {
    const message = 'The audio cannot be decoded: the decoder crashed on it.';
    super('audio_undecodable', message, { param: 'file' });
  }
}

export function undecodable(reason: string): DecodeError {
  return new DecodeError('audio_undecodable', `The audio cannot be decoded: ${reason}.`);
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
