// A reason, meant for the caller, why an upload cannot be decoded.
import { ServiceError, type ErrorCode } from '../../models/contract/errors.ts';

export class DecodeError extends Error {
  override readonly name = 'DecodeError';
  readonly code: ErrorCode;
  /** The decoder took too much and was ended. */
  readonly killed: boolean;
  /** CPU time that gave nothing. */
  cpuSeconds = 0;

  constructor(code: ErrorCode, message: string, { killed = false } = {}) {
    super(message);
    this.code = code;
    this.killed = killed;
  }
}

/** A recording that its decoder refused, and what that took. */
export class DecodeRejected extends ServiceError {
  readonly killed: boolean;
  cpuSeconds: number;

  constructor({ code, message, killed, cpuSeconds }: DecodeError) {
    super(code, message, { param: 'file' });
    this.killed = killed;
    this.cpuSeconds = cpuSeconds;
  }
}

/** The decoder's process ended without a word: by the recording, or by something else. */
export class DecoderDied extends DecodeRejected {
  constructor() {
    const { code, message } = undecodable('the decoder crashed on it');
    super(new DecodeError(code, message, { killed: true }));
  }
}

export function decoderEnded(reason: string): DecodeError {
  const { code, message } = undecodable(reason);
  return new DecodeError(code, message, { killed: true });
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
