// The state that middleware provides to the routes.
import type { Account } from '../../db/accounts.ts';
import type { ClientConnection } from './forwarded-headers.ts';
import type { HeldBodySlot } from './body-slots.ts';

export interface RequestState {
  requestId: string;
  connection: ClientConnection;
  /** Set by `authenticate`. */
  account: Account;
  /** Set by `authenticate`: whether anything was left of its minutes or credits. */
  canPay: boolean;
  /** Set by `limitConcurrency`. */
  slot: HeldBodySlot;
}
