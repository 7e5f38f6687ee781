// The socket of a Realtime session: text messages within a quota, errors for everything else, and
// the limits of its life.
import type { RawData, WebSocket } from 'ws';
import { newId } from '../../db/secrets.ts';
import type { Charging } from '../streams/charging.ts';
import { meterSocket } from '../streams/metered-socket.ts';
import {
  brokenFrameFailure,
  closeCodes,
  type StreamFailure,
} from '../streams/protocols/protocol.ts';
import { readInOrder } from './read-in-order.ts';
import type { RealtimeEvent } from './session-state.ts';

/** OpenAI's limit of a session. */
export const lifetimeMs = 60 * 60_000;
/** Without a message; a client that commits its turns itself may be silent for minutes. */
const idleMs = 5 * 60_000;
/** Unsent output in bytes; a client that reads has almost none. */
const maxBufferedBytes = 262_144;

const expiredFailure: StreamFailure = {
  code: 'session_expired',
  message:
    `A session lasts at most ${lifetimeMs / 60_000} minutes, ` +
    `and ${idleMs / 60_000} minutes without a message.`,
  param: null,
  close: closeCodes.deadline,
};

const tooLargeFailure: StreamFailure = {
  code: 'body_too_large',
  message: 'A message is too large; append less audio at once.',
  param: null,
  close: closeCodes.tooLarge,
};

export interface RealtimeListener {
  readonly charging: Charging;
  readonly read: (text: string) => RealtimeEvent | Promise<RealtimeEvent>;
  readonly onEvent: (event: RealtimeEvent) => void;
  /** Ends the session. */
  readonly fail: (failure: StreamFailure) => void;
}

export interface Listening {
  /** Whether the quota was exceeded. */
  readonly hasFlooded: () => boolean;
  /** Whether an append is being decoded, for which the socket was paused. */
  readonly isReading: () => boolean;
}

export function listen(
  socket: WebSocket,
  { charging, read, onEvent, fail }: RealtimeListener,
): Listening {
  const { isWithinQuota, hasFlooded } = meterSocket(socket, { charging, fail });
  const expire = (): void => fail(expiredFailure);
  const lifetime = setTimeout(expire, lifetimeMs);
  const idle = setTimeout(expire, idleMs);
  const { take, isReading } = readInOrder({
    read,
    onRead(event, text) {
      // Audio is limited by its length; whatever is none has its cost.
      const isCounted =
        event.kind === 'audio'
          ? isWithinQuota('audio', event.pcm.byteLength)
          : isWithinQuota('control', text.length);
      if (isCounted) onEvent(event);
    },
    // What has arrived already is no more than a network read or two.
    onWaiting: () => socket.pause(),
  });
  socket.on('message', (data: RawData, isBinary: boolean) => {
    idle.refresh();
    const text = isBinary
      ? ''
      : (Array.isArray(data) ? Buffer.concat(data) : Buffer.from(data as Buffer)).toString();
    take(text);
  });
  socket.on('violation', (code: number) => {
    fail(code === closeCodes.tooLarge ? tooLargeFailure : brokenFrameFailure);
  });
  // The `close` event that follows is handled, and an unhandled error would end the process.
  socket.on('error', () => {});
  socket.once('close', () => {
    clearTimeout(lifetime);
    clearTimeout(idle);
  });
  return { hasFlooded, isReading };
}

/** Each event of the server has an id of its own. */
export function send(socket: WebSocket, message: object): void {
  if (socket.bufferedAmount > maxBufferedBytes) {
    socket.terminate();
    return;
  }
  const event = { event_id: newId('event_'), ...message };
  socket.send(JSON.stringify(event), () => {});
}
