// A server's WebSocket that reports a violation before it closes, also where `ws` itself rejects.
import { WebSocket } from 'ws';

/**
 * `ws` rejects a frame that is too long, or that violates the protocol, at its header and closes at
 * once. This one emits `violation` with the close code instead, so that whoever listens can send
 * what has to precede the close, and closes. Its own closes have a reason, which may be empty.
 */
export class StreamSocket extends WebSocket {
  override close(code?: number, reason?: string | Buffer): void {
    if (code !== undefined && reason === undefined) {
      const isHeard = this.emit('violation', code);
      if (isHeard) return;
    }
    super.close(code, reason);
  }
}
