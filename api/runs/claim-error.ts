// The answer to a request id that cannot be claimed.
import type { Claim } from '../../db/claim-decision.ts';
import { ServiceError, isErrorCode } from '../../models/contract/errors.ts';

const conflictMessages = {
  request_in_progress: 'A request with this id is in progress.',
  request_already_completed: 'The request with this id has ended; results are not kept for replay.',
  idempotency_conflict:
    'This request id was used with different audio, task, model, options or key.',
} as const;

export function claimError(claim: Exclude<Claim, { kind: 'admitted' }>): ServiceError {
  if (claim.kind === 'rejected') {
    return new ServiceError(claim.code, conflictMessages[claim.code], { param: 'X-Request-ID' });
  }
  const code = isErrorCode(claim.code) ? claim.code : 'audio_undecodable';
  return new ServiceError(code, claim.message, { param: claim.param ?? undefined });
}
