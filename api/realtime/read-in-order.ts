// The messages of a Realtime session, one after the other: what arrives while an append is being
// decoded waits for it, so that a commit or a clear behind it sees all its audio.
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { RealtimeEvent } from './session-state.ts';

interface OrderedReading {
  readonly read: (text: string) => RealtimeEvent | Promise<RealtimeEvent>;
  readonly onRead: (event: RealtimeEvent, text: string) => void;
  /** Called when messages begin to wait; they end to do so with the last `onRead` of them. */
  readonly onWaiting: () => void;
}

interface OrderedReader {
  readonly take: (text: string) => void;
  /** Whether messages would wait. */
  readonly isReading: () => boolean;
}

export function readInOrder({ read, onRead, onWaiting }: OrderedReading): OrderedReader {
  const waiting: string[] = [];
  let isReading = false;
  const readOn = async (first: string, decoded: Promise<RealtimeEvent>): Promise<void> => {
    isReading = true;
    onWaiting();
    let event = await decoded;
    for (let text = first; ;) {
      const next = waiting.shift();
      isReading = next !== undefined;
      onRead(event, text);
      if (next === undefined) return;
      // One message a turn of the event loop, as those that did not wait.
      await nextTurn();
      text = next;
      event = await read(text);
    }
  };
  return {
    take(text) {
      if (isReading) return void waiting.push(text);
      const event = read(text);
      if (event instanceof Promise) void readOn(text, event);
      else onRead(event, text);
    },
    isReading: () => isReading,
  };
}
