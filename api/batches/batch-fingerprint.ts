// The fingerprint of an order, by which its `Idempotency-Key` knows it again. Batches hold it for
// as long as they are kept, so that a body has the same in every version.
import { fingerprintOf } from '../runs/fingerprint.ts';
import type { BatchRequest } from './schemas.ts';

export interface BatchFingerprints {
  /** What is stored: the versions before know it as well, at an exchange and after a rollback. */
  readonly fingerprint: string;
  /** As versions write it that count an option only where it is set. */
  readonly otherFingerprint: string;
}

/** An option that is newer than the vocabulary counts only where it is set. */
export function batchFingerprints(request: BatchRequest): BatchFingerprints {
  const { vocabulary, ...options } = request.options;
  const whole = fingerprintOf(request);
  const isSet = vocabulary.length > 0;
  return {
    fingerprint: whole,
    otherFingerprint: isSet ? whole : fingerprintOf({ ...request, options }),
  };
}
