// Errors after which another request id would have the same work done, and charged, once more.
import { ServiceError } from '../../models/contract/errors.ts';
import { toServiceError } from '../http/errors.ts';

/** The work was done and charged, or may be running. */
export class WorkInHand extends ServiceError {}

/**
 * What remains of a request after its run has completed: its result is read and written.
 * @throws WorkInHand for every failure
 */
export async function afterCompletion<T>(answer: () => Promise<T>): Promise<T> {
  try {
    return await answer();
  } catch (cause) {
    const message =
      'The recording was analysed, but its result could not be read; it is not kept for replay.';
    throw new WorkInHand(toServiceError(cause).code, message, { cause });
  }
}
