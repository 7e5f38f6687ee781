// The state that middleware provides to the routes.
import type { Account } from '../../db/api-keys.ts';
import type { ClientConnection } from './forwarded-headers.ts';
import type { HeldBodySlot } from './body-slots.ts';

export interface RequestState {
  requestId: string;
  connection: ClientConnection;
  /** Set by `authenticate`. */
  account: Account;
  /** Set by `limitConcurrency`. */
  slot: HeldBodySlot;
}
