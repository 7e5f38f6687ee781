// What middleware leaves for the routes.
import type { Account } from '../../db/api-keys.ts';
import type { HeldPlace } from './places.ts';

export interface RequestState {
  requestId: string;
  /** Set behind `authenticate`. */
  account: Account;
  /** Set behind `limitConcurrency`. */
  place: HeldPlace;
}
