// The fingerprint of an order, by which its `Idempotency-Key` knows it again. Batches hold it for
// as long as they are kept, so that a body has the same in every version.
import { fingerprintOf } from '../runs/fingerprint.ts';
import type { BatchRequest } from './schemas.ts';

export interface BatchFingerprints {
  readonly fingerprint: string;
  /** As versions wrote it that counted every option, vocabulary also where there is none. */
  readonly earlierFingerprint: string;
}

/** An option that is newer than the others counts only where it is set. */
export function batchFingerprints(request: BatchRequest): BatchFingerprints {
  const { vocabulary, ...options } = request.options;
  const whole = fingerprintOf(request);
  const isSet = vocabulary.length > 0;
  return {
    fingerprint: isSet ? whole : fingerprintOf({ ...request, options }),
    earlierFingerprint: whole,
  };
}
