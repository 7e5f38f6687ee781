// A stream's client for tests: what it received, and how it ended.
import { once } from 'node:events';
import { WebSocket } from 'ws';

export interface Ended {
  /** The close code; the HTTP status when the upgrade was rejected. */
  readonly code: number;
  /** Messages in order, parsed; the body of a rejected upgrade. */
  readonly messages: readonly any[];
}

export interface TestSocket {
  readonly socket: WebSocket;
  /** The next message of that type, or the next of any. */
  message(type?: string): Promise<any>;
  send(message: object | Uint8Array): void;
  readonly ended: Promise<Ended>;
}

export interface SocketOptions {
  readonly protocols: readonly string[];
  readonly key?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export function openSocket(
  base: string,
  path: string,
  { protocols, key, headers = {} }: SocketOptions,
): TestSocket {
  const socket = new WebSocket(base.replace('http', 'ws') + path, [...protocols], {
    headers: { ...headers, ...(key && { Authorization: `Bearer ${key}` }) },
  });
  const messages: any[] = [];
  const ended = Promise.withResolvers<Ended>();
  socket.on('message', (data) => {
    messages.push(JSON.parse((data as Buffer).toString()));
    socket.emit('parsed');
  });
  socket.on('error', () => {});
  socket.on('close', (code) => ended.resolve({ code, messages }));
  socket.on('unexpected-response', (_request, response) => {
    let body = '';
    response.on('data', (block) => (body += block));
    response.on('end', () =>
      ended.resolve({ code: response.statusCode ?? 0, messages: [JSON.parse(body)] }),
    );
  });
  return {
    socket,
    async message(type) {
      for (;;) {
        const found = messages.find((m) => type === undefined || m.type === type);
        if (found) return found;
        await once(socket, 'parsed');
      }
    },
    send: (message) =>
      socket.send(message instanceof Uint8Array ? message : JSON.stringify(message)),
    ended: ended.promise,
  };
}

/** Frames of at most 32,768 bytes. */
export function framesOf(samples: Int16Array): readonly Uint8Array[] {
  const bytes = new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength);
  const frames: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += 32_768) frames.push(bytes.subarray(at, at + 32_768));
  return frames;
}
