// Why an upload cannot be decoded.
import { ServiceError, type ErrorCode } from '../../models/contract/errors.ts';

export class DecodeError extends Error {
  override readonly name = 'DecodeError';
  readonly code: ErrorCode;
  /** The decoder exceeded a limit and was killed. */
  readonly killed: boolean;
  /** CPU time spent without a result. */
  cpuSeconds = 0;

  constructor(code: ErrorCode, message: string, { killed = false } = {}) {
    super(message);
    this.code = code;
    this.killed = killed;
  }
}

/** A recording that could not be decoded, with the cost of trying. */
export class DecodeRejected extends ServiceError {
  readonly killed: boolean;
  cpuSeconds: number;

  constructor({ code, message, killed, cpuSeconds }: DecodeError) {
    super(code, message, { param: 'file' });
    this.killed = killed;
    this.cpuSeconds = cpuSeconds;
  }
}

/**
 * The decoder process died without an error message, because of the recording or of something else.
 */
export class DecoderDied extends DecodeRejected {
  constructor() {
    super(undecodable('the decoder crashed on it', { killed: true }));
  }
}

/** The process ended before it received the file, so another process may decode it. */
export class DecoderUnavailable extends Error {
  override readonly name = 'DecoderUnavailable';

  /** @param output the last lines that it wrote */
  constructor(output: string) {
    const reason = output === '' ? '' : `; its last output: ${output}`;
    super(`a decoder ended before it received a file${reason}`);
  }
}

/** @param killed the decoder exceeded a limit and was killed */
export function undecodable(reason: string, { killed = false } = {}): DecodeError {
  const message = `The audio cannot be decoded: ${reason}.`;
  return new DecodeError('audio_undecodable', message, { killed });
}

/** The audio is readable, but the model does not accept it. */
export function unsupported(reason: string): DecodeError {
  return new DecodeError('unsupported_audio', `The audio is not supported: ${reason}.`);
}

/** Thrown as soon as the decoded samples exceed the limit, so that the rest is never decoded. */
export function tooLong(maxSeconds: number): DecodeError {
  return new DecodeError(
    'audio_too_long',
    `The audio is longer than the ${maxSeconds} seconds that are allowed.`,
  );
}
