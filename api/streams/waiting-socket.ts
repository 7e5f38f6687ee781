// A socket whose upgrade waits for its turn: somebody has to read it, or nobody notices that its
// client has left, and its turn goes to nobody.
import type { Duplex } from 'node:stream';

/** A client that waits for the handshake, as RFC 6455 (4.1) says, has sent nothing by then. */
const maxEarlyBytes = 65_536;

export interface WaitingSocket {
  /** Ends the watch. @returns what has arrived meanwhile */
  take(): Buffer;
}

/** Destroys the socket if its client closes its side while it waits. */
export function watchWaiting(socket: Duplex): WaitingSocket {
  const blocks: Buffer[] = [];
  let bytes = 0;
  const onData = (block: Buffer): void => {
    blocks.push(block);
    bytes += block.length;
    if (bytes > maxEarlyBytes) socket.pause();
  };
  const onEnd = (): void => void socket.destroy();
  const onError = (): void => {};
  socket.on('data', onData);
  socket.once('end', onEnd);
  socket.on('error', onError);
  return {
    take: () => {
      socket.pause();
      socket.off('data', onData);
      socket.off('end', onEnd);
      socket.off('error', onError);
      return Buffer.concat(blocks);
    },
  };
}
