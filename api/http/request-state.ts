// What middleware leaves for the routes.
import type { Account } from '../../db/api-keys.ts';
import type { HeldBodySlot } from './body-slots.ts';

export interface RequestState {
  requestId: string;
  /** Set behind `authenticate`. */
  account: Account;
  /** Set behind `limitConcurrency`. */
  slot: HeldBodySlot;
}
