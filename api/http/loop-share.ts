// How many bytes of bodies are handled between two looks of the event loop at everything else: one
// fast sender is read thirty times in a row otherwise, and every sender in the same turn.
import { costOf } from './block-cost.ts';

export interface LoopShare {
  /**
   * Counts a block that was handled in this turn.
   * @returns when their sender may go on; null when it may at once
   */
  handled(bytes: number): Promise<void> | null;
}

export interface LoopShareOptions {
  /** Calls back after the event loop has looked at everything else. */
  readonly nextTurn?: (begin: () => void) => void;
  readonly bytesPerTurn?: number;
}

/** Some 3 ms of parsing, hashing and copying. */
const defaultBytes = 2 ** 19;
/** What Node reads from a socket at once. */
const blockBytes = 2 ** 16;

/** Senders that have to wait go on in turn, as many as fit into the next one. */
export function createLoopShare({
  nextTurn = setImmediate,
  bytesPerTurn = defaultBytes,
}: LoopShareOptions = {}): LoopShare {
  const waiting: (() => void)[] = [];
  let left = bytesPerTurn;
  let begun = false;

  const begin = (): void => {
    left = bytesPerTurn;
    const next = waiting.splice(0, Math.max(1, Math.floor(bytesPerTurn / blockBytes)));
    for (const goOn of next) goOn();
    begun = next.length > 0;
    if (begun) nextTurn(begin);
  };
  return {
    handled(bytes) {
      left -= costOf(bytes);
      if (!begun) {
        begun = true;
        nextTurn(begin);
      }
      return left > 0 ? null : new Promise((goOn) => waiting.push(goOn));
    },
  };
}
