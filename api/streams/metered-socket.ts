// The message quota of a socket: the first message beyond it ends the stream.
import type { WebSocket } from 'ws';
import { createMessageQuota, type MeteredMessage } from './protocols/message-quota.ts';
import { floodFailure, type StreamFailure } from './protocols/protocol.ts';
import { floodTimeoutMs } from './timeouts.ts';

export interface MeteredSocket {
  /** Counts a message; false once the quota is exceeded. */
  readonly isWithinQuota: (kind: MeteredMessage, bytes: number) => boolean;
  readonly hasFlooded: () => boolean;
}

/** Counts pings and pongs itself. @param fail ends the stream */
export function meterSocket(
  socket: WebSocket,
  fail: (failure: StreamFailure) => void,
): MeteredSocket {
  const quota = createMessageQuota(() => performance.now());
  let flooded = false;
  const isWithinQuota = (kind: MeteredMessage, bytes: number): boolean => {
    if (flooded) return false;
    if (quota.take(kind, bytes)) return true;
    flooded = true;
    fail(floodFailure);
    socket.pause();
    setTimeout(() => socket.terminate(), floodTimeoutMs).unref();
    return false;
  };
  socket.on('ping', (data: Buffer) => void isWithinQuota('control', data.length));
  socket.on('pong', (data: Buffer) => void isWithinQuota('control', data.length));
  return { isWithinQuota, hasFlooded: () => flooded };
}
