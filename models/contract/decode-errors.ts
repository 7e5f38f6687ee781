// The errors for a file that is known to kill its decoder, and for an organization that has used up
// its budget of fruitless decoding.
import { ServiceError, isErrorCode } from './errors.ts';

/** @param verdict the rejection that is repeated without decoding the file */
export function verdictError({
  code,
  message,
}: {
  readonly code: string;
  readonly message: string;
}): ServiceError {
  return new ServiceError(isErrorCode(code) ? code : 'audio_undecodable', message, {
    param: 'file',
  });
}

/** Decoder time that an organization may spend on undecodable files. */
export interface DecodeBudget {
  readonly seconds: number;
  readonly windowSeconds: number;
}

/** @param waitSeconds until the budget allows decoding again */
export function budgetError(
  { seconds, windowSeconds }: DecodeBudget,
  waitSeconds: number,
): ServiceError {
  return new ServiceError(
    'rate_limited',
    `Files that could not be decoded took ${seconds} seconds of decoding in ` +
      `${windowSeconds / 60} minutes, which is all that is allowed; ` +
      `try again in ${waitSeconds} seconds.`,
    { retryAfterSeconds: waitSeconds },
  );
}
