// The message quota of a socket: the first message beyond it ends the stream, and so does the first
// one beyond what may wait for a charge.
import type { WebSocket } from 'ws';
import type { Charging } from './charging.ts';
import { createMessageQuota, type MeteredMessage } from './protocols/message-quota.ts';
import { floodFailure, type StreamFailure } from './protocols/protocol.ts';
import { floodTimeoutMs } from './timeouts.ts';

export interface MeteredSocket {
  /** Counts a message; false once the quota is exceeded. */
  readonly isWithinQuota: (kind: MeteredMessage, bytes: number) => boolean;
  readonly hasFlooded: () => boolean;
}

export interface MeterOptions {
  readonly charging: Charging;
  /** Ends the stream. */
  readonly fail: (failure: StreamFailure) => void;
}

/** Counts pings and pongs itself. */
export function meterSocket(socket: WebSocket, { charging, fail }: MeterOptions): MeteredSocket {
  const quota = createMessageQuota(() => performance.now());
  let flooded = false;
  const isWithinQuota = (kind: MeteredMessage, bytes: number): boolean => {
    if (flooded) return false;
    if (!charging.isCrowded() && quota.take(kind, bytes)) return true;
    flooded = true;
    socket.pause();
    charging.afterwards(() => {
      fail(floodFailure);
      setTimeout(() => socket.terminate(), floodTimeoutMs).unref();
    });
    return false;
  };
  socket.on('ping', (data: Buffer) => void isWithinQuota('control', data.length));
  socket.on('pong', (data: Buffer) => void isWithinQuota('control', data.length));
  return { isWithinQuota, hasFlooded: () => flooded };
}
