// What arrives before a stream is ready waits until it is; pure.
import { bytesPerSecond, maxFrameBytes, type StreamEvent } from './protocol.ts';

export type MessageEvent = { readonly kind: 'text' | 'binary' } & StreamEvent<never>;

/** Messages that arrived before a stream was ready, and their bytes. */
export interface Backlog {
  readonly bytes: number;
  readonly backlog: BacklogEntry | null;
}

/** A linked list, newest first, so that adding a message takes constant time. */
export interface BacklogEntry {
  readonly event: MessageEvent;
  readonly before: BacklogEntry | null;
}

/** Capacity beyond a whole recording, for the message that ends it. */
const backlogTextBytes = maxFrameBytes;

/** The backlog with one more message; null when it is longer than a whole recording. */
export function addToBacklog(
  { bytes, backlog }: Backlog,
  event: MessageEvent,
  maxSeconds: number,
): Backlog | null {
  const total = bytes + (event.kind === 'binary' ? event.data.length : event.text.length);
  if (total > maxSeconds * bytesPerSecond + backlogTextBytes) return null;
  return { bytes: total, backlog: { event, before: backlog } };
}

/** The messages of a backlog in the order in which they came. */
export function backlogEvents(backlog: BacklogEntry | null): readonly MessageEvent[] {
  const events: MessageEvent[] = [];
  for (let total = backlog; total; total = total.before) events.push(total.event);
  return events.reverse();
}
