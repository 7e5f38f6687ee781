// Messages between a guarded process and its parent over one socket: the lengths of two parts in
// four bytes each, then bytes as they are, then a structured clone. Node's own channel is
// unsuitable: one malformed byte in it is an uncaught error of the reader, and it carries
// descriptors and messages of Node that an attacker could forge.
import { Socket } from 'node:net';
import { deserialize, serialize } from 'node:v8';

/** File descriptor of the socket in the guarded process; its parent has the other end. */
const channelDescriptor = 3;

const headerBytes = 8;

export interface SendOptions {
  /** Bytes that go with the message without being copied: they must not change afterwards. */
  readonly attached?: readonly Uint8Array[];
  /** Called if the message cannot be written, as after the other side has closed. */
  readonly onError?: () => void;
}

/** @param attached in a buffer of their own, at its start; empty if there are none */
export type OnMessage = (message: unknown, attached: Buffer) => void;

export interface Channel {
  send(message: object, options?: SendOptions): void;
  /** Closes the socket: nothing is read or sent afterwards. */
  close(): void;
}

export interface ChannelOptions {
  /** A longer message from the other side is malformed. */
  readonly maxBytes: number;
  readonly onMessage: OnMessage;
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
      for (const { body, attached } of read(chunk)) onMessage(deserialize(body), attached);
    } catch (error) {
      socket.off('data', onData).destroy();
      onMalformed(error);
    }
  };
  socket.on('data', onData);
  // The end of the other side is reported by the end of its process.
  socket.on('error', () => {});
  return {
    send(message, { attached = [], onError } = {}) {
      const body = serialize(message);
      const header = Buffer.alloc(headerBytes);
      header.writeUInt32BE(attached.reduce((sum, { length }) => sum + length, 0));
      header.writeUInt32BE(body.length, 4);
      socket.cork();
      socket.write(header);
      for (const bytes of attached) socket.write(bytes);
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
export function openParentChannel(onMessage: OnMessage): Channel {
  const socket = new Socket({ fd: channelDescriptor, readable: true, writable: true });
  socket.once('close', () => process.exit(0));
  const onMalformed = (error: unknown): void => {
    throw error;
  };
  return openChannel(socket, { maxBytes: Infinity, onMessage, onMalformed });
}

interface Parts {
  readonly attached: Buffer;
  readonly body: Buffer;
}

/** Splits a stream of bytes into messages. @throws RangeError if one is too long */
function createReader(maxBytes: number): (chunk: Buffer) => readonly Parts[] {
  // Each message has one buffer of its own, so that none keeps the bytes of others in memory.
  let target = Buffer.alloc(headerBytes);
  let filled = 0;
  /** Of the message that is being read; null within a header. */
  let attachedBytes: number | null = null;
  const next = (): Parts | null => {
    const taken = target;
    filled = 0;
    if (attachedBytes !== null) {
      const attached = taken.subarray(0, attachedBytes);
      const body = taken.subarray(attachedBytes);
      attachedBytes = null;
      target = Buffer.alloc(headerBytes);
      return { attached, body };
    }
    attachedBytes = taken.readUInt32BE();
    const length = attachedBytes + taken.readUInt32BE(4);
    if (length > maxBytes) throw new RangeError(`a message of ${length} bytes`);
    target = Buffer.allocUnsafeSlow(length);
    return null;
  };
  return (chunk) => {
    const messages: Parts[] = [];
    for (let at = 0; at < chunk.length;) {
      const count = chunk.copy(target, filled, at);
      at += count;
      filled += count;
      while (filled === target.length) {
        const message = next();
        if (message) messages.push(message);
      }
    }
    return messages;
  };
}
