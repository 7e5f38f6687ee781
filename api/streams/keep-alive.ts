// Pings to the peers of streams: a connection that is gone without a word is found out.
import type { WebSocket } from 'ws';
import { pingMs } from './timeouts.ts';

/** A peer that has sent nothing since a ping, of what is read, is disconnected by the next one. */
export function keepAlive(webSocket: WebSocket): void {
  let alive = true;
  const isHeard = (): void => {
    alive = true;
  };
  // Behind audio that waits, a pong waits as well.
  webSocket.on('pong', isHeard);
  webSocket.on('message', isHeard);
  const timer = setInterval(() => {
    if (webSocket.isPaused) return;
    if (!alive) return webSocket.terminate();
    alive = false;
    webSocket.ping();
  }, pingMs);
  webSocket.once('close', () => clearInterval(timer));
}
