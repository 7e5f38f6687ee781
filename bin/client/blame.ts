// What a failure is the fault of: the recording, the account, or what every recording would meet.
import { SpeechServiceError } from '../../clients/typescript/src/service-error.ts';
import { errorRules, isErrorCode } from '../../models/contract/errors.ts';

/** Of what was sent; other failures depend on key, plan, load or timing. */
const ownStatuses: ReadonlySet<number> = new Set([400, 413]);
const accountStatuses: ReadonlySet<number> = new Set([401, 402, 403]);
const addressStatuses: ReadonlySet<number> = new Set([404, 405]);

/** The same recording would be rejected again, whatever becomes of the account. */
export function isFaultOfRecording(code: string): boolean {
  return ownStatuses.has(statusOf(code));
}

/** Key or plan; not a full storage, which has room again once what is in it was analysed. */
export function isFaultOfAccount(code: string): boolean {
  return accountStatuses.has(statusOf(code)) && code !== 'storage_quota_exceeded';
}

/** Every other recording would be answered in the same way, or not at all. */
export function concernsAll(error: unknown): boolean {
  if (!(error instanceof SpeechServiceError)) return false;
  const { code, status } = error;
  if (code === 'unreachable' || isFaultOfAccount(code) || addressStatuses.has(status)) return true;
  return isFromElsewhere(error) && status !== 413;
}

/** What was rejected is an option, which is the same for every recording. */
export function isOfOption(error: unknown): error is SpeechServiceError {
  if (!(error instanceof SpeechServiceError) || error.code !== 'invalid_field') return false;
  return error.param !== null && error.param !== 'file';
}

/** For the terminal: another server's answer is told with its address. */
export function failureAt(base: string, error: unknown): unknown {
  if (!(error instanceof SpeechServiceError && isFromElsewhere(error))) return error;
  return new Error(`${base} answered ${error.status}, and not as this service does`);
}

/** A server without the service's codes: a proxy, or a wrong address. */
function isFromElsewhere({ code }: SpeechServiceError): boolean {
  return code === 'unknown';
}

function statusOf(code: string): number {
  return isErrorCode(code) ? errorRules[code].status : 0;
}
