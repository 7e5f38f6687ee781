// Messages between a guarded process and its parent over one socket: four bytes of length, then a
// structured clone. Node's own channel is unsuitable: one malformed byte in it is an uncaught error
// of the reader, and it carries descriptors and messages of Node that an attacker could forge.
import { Socket } from 'node:net';
import { deserialize, serialize } from 'node:v8';

/** File descriptor of the socket in the guarded process; its parent has the other end. */
export const channelDescriptor = 3;

const headerBytes = 4;

export interface Channel {
  /** @param onError called if the message cannot be written, as after the other side has closed */
  send(message: object, onError?: () => void): void;
  /** Closes the socket: nothing is read or sent afterwards. */
  close(): void;
}

export interface ChannelOptions {
  /** A longer message from the other side is malformed. */
  readonly maxBytes: number;
  readonly onMessage: (message: unknown) => void;
  /**
   * Called when the other side sends something that is not a message, or that `onMessage` throws
   * on; the channel is closed.
   */
  readonly onMalformed: (error: unknown) => void;
}

/** Messages over a connected socket. */
export function openChannel(
  socket: Socket,
  { maxBytes, onMessage, onMalformed }: ChannelOptions,
): Channel {
  const read = createReader(maxBytes);
  const onData = (chunk: Buffer): void => {
    try {
      for (const message of read(chunk)) onMessage(deserialize(message));
    } catch (error) {
      socket.off('data', onData).destroy();
      onMalformed(error);
    }
  };
  socket.on('data', onData);
  // The end of the other side is reported by the end of its process.
  socket.on('error', () => {});
  return {
    send(message, onError) {
      const body = serialize(message);
      const header = Buffer.alloc(headerBytes);
      header.writeUInt32BE(body.length);
      socket.cork();
      socket.write(header);
      socket.write(body, (error) => {
        if (error) onError?.();
      });
      socket.uncork();
    },
    close: () => void socket.destroy(),
  };
}

/**
 * The parent of this process, which started it in a sandbox; the process ends with its parent.
 * @param onMessage receives what the parent sends
 */
export function openParentChannel(onMessage: (message: unknown) => void): Channel {
  const socket = new Socket({ fd: channelDescriptor, readable: true, writable: true });
  socket.once('close', () => process.exit(0));
  const onMalformed = (error: unknown): void => {
    throw error;
  };
  return openChannel(socket, { maxBytes: Infinity, onMessage, onMalformed });
}

/** Splits a stream of bytes into the bodies of messages. @throws RangeError if one is too long */
function createReader(maxBytes: number): (chunk: Buffer) => readonly Buffer[] {
  // Each message has one buffer of its own, so that none keeps the bytes of others in memory.
  let target = Buffer.alloc(headerBytes);
  let filled = 0;
  let inBody = false;
  const next = (): Buffer => {
    const taken = target;
    inBody = !inBody;
    const length = inBody ? taken.readUInt32BE() : headerBytes;
    if (length > maxBytes) throw new RangeError(`a message of ${length} bytes`);
    target = Buffer.allocUnsafeSlow(length);
    filled = 0;
    return taken;
  };
  return (chunk) => {
    const bodies: Buffer[] = [];
    for (let at = 0; at < chunk.length;) {
      const count = chunk.copy(target, filled, at);
      at += count;
      filled += count;
      while (filled === target.length) {
        const taken = next();
        if (!inBody) bodies.push(taken);
      }
    }
    return bodies;
  };
}
