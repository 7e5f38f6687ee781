// A prepared session: slots are claimed by Updates until its half minute is over.
import {
  CancellationScope,
  defineUpdate,
  setCurrentDetails,
  setHandler,
  sleep,
} from '@temporalio/workflow';
import { closeSession } from './stream-proxies.ts';
import type { PreparedSessionInput, SlotClaim } from './types.ts';

/** Claims a slot by its number; reports when it was claimed before. */
export const claimSlot = defineUpdate<SlotClaim, [number]>('claimSlot');

export async function preparedSession(input: PreparedSessionInput): Promise<void> {
  const { slots, expiresAtMs, lifeMs } = input;
  // A duration, because the clocks of the database and of Temporal may differ or be set.
  const endsAtMs = lifeMs === undefined ? expiresAtMs : Date.now() + lifeMs;
  const claimed = new Set<number>();
  let over = false;
  setHandler(claimSlot, (slot) => {
    if (over || Date.now() >= endsAtMs) return 'expired';
    if (claimed.has(slot)) return 'used';
    claimed.add(slot);
    setCurrentDetails(`${claimed.size} of ${slots} slots are claimed.`);
    return 'claimed';
  });
  try {
    await sleep(Math.max(1, endsAtMs - Date.now()));
  } finally {
    // What it holds goes back when an operator cancels it, too.
    over = true;
    await CancellationScope.nonCancellable(() => closeSession(input));
  }
  setCurrentDetails(`Over; ${claimed.size} of ${slots} slots were claimed.`);
}
