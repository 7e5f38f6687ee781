// A server's WebSocket that says what was wrong before it closes, also where `ws` itself refuses.
import { WebSocket } from 'ws';

/**
 * `ws` refuses a frame that is too long, or that breaks the protocol, at its header and closes at
 * once. This one emits `violation` with the close code first, so that an error message can go
 * ahead of the close. Whoever closes it gives a reason, be it empty.
 */
export class StreamSocket extends WebSocket {
  override close(code?: number, reason?: string | Buffer): void {
    if (code !== undefined && reason === undefined) this.emit('violation', code);
    super.close(code, reason);
  }
}
