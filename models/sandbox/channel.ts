// Messages between a guarded process and its parent over one socket: four bytes of length, then a
// structured clone. Node's own channel is none for this: one malformed byte in it is an uncaught
// error of the reader, and it holds descriptors and messages of Node that a stranger may forge.
import { Socket } from 'node:net';
import { deserialize, serialize } from 'node:v8';

/** Of the process; its parent has the other end of the socket. */
export const channelDescriptor = 3;

const headerBytes = 4;

export interface Channel {
  /** @param onError called when the other side does not read any more */
  send(message: object, onError?: () => void): void;
  /** Nothing is read or sent any more. */
  close(): void;
}

export interface ChannelOptions {
  /** A longer message of the other side is malformed. */
  readonly maxBytes: number;
  readonly onMessage: (message: unknown) => void;
  /**
   * The other side sent what is no message, or what `onMessage` threw at; the channel is closed.
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
  // A side that has gone shows in the end of its process.
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

/** Cuts a stream of bytes into the bodies of messages. @throws RangeError for one too long */
function createReader(maxBytes: number): (chunk: Buffer) => readonly Buffer[] {
  let chunks: Buffer[] = [];
  let held = 0;
  let wanted = headerBytes;
  let inBody = false;
  const take = (): Buffer => {
    const all = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
    chunks = all.length > wanted ? [all.subarray(wanted)] : [];
    held -= wanted;
    return all.subarray(0, wanted);
  };
  return (chunk) => {
    chunks.push(chunk);
    held += chunk.length;
    const bodies: Buffer[] = [];
    while (held >= wanted) {
      const taken = take();
      if (inBody) bodies.push(taken);
      inBody = !inBody;
      wanted = inBody ? taken.readUInt32BE() : headerBytes;
      if (wanted > maxBytes) throw new RangeError(`a message of ${wanted} bytes`);
    }
    return bodies;
  };
}
