// The errors for a file that is known to crash its decoder, and for an organization that has used
// up its budget for failed decodes.
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
    `Undecodable files may use ${seconds} seconds of decoding in ${windowSeconds / 60} minutes, ` +
      `and have used more; try again in ${waitSeconds} seconds.`,
    { retryAfterSeconds: waitSeconds },
  );
}
