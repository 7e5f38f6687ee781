// The answer to a request whose recording the account or the session cannot pay for.
import { AccountSuspended } from '../../db/account-status.ts';
import { AllowanceExhausted } from '../../db/balance.ts';
import { SessionCapacityExhausted } from '../../db/sessions.ts';
import { ServiceError } from '../../models/contract/errors.ts';

/** @returns any other error unchanged */
export function reservationError(error: unknown): unknown {
  if (error instanceof AccountSuspended) {
    return new ServiceError('account_suspended', error.message);
  }
  if (error instanceof AllowanceExhausted) {
    return new ServiceError('allowance_exhausted', error.message);
  }
  if (error instanceof SessionCapacityExhausted) {
    return new ServiceError('session_capacity_unavailable', error.message);
  }
  return error;
}
