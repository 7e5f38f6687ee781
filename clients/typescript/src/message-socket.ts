// A WebSocket of either stream as calls that wait: JSON messages in order, audio with backpressure.
import { createLiveReader, type LiveOptions } from './live-text.ts';
import { SpeechServiceError } from './service-error.ts';
import { sleep } from './sleep.ts';

export interface SocketTarget extends Pick<LiveOptions, 'onText'> {
  readonly url: string;
  readonly protocols: readonly string[];
  /** Only servers can send headers with an upgrade; browsers ignore them. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly webSocket?: typeof WebSocket;
}

export interface Message {
  readonly type?: string;
  readonly [member: string]: unknown;
}

export interface MessageSocket {
  /** The next message. @throws SpeechServiceError when the socket closes before it */
  next(): Promise<Message>;
  sendMessage(message: Message): void;
  /**
   * Samples of PCM16, little-endian, mono, 16 kHz, in pieces of any size.
   * @throws SpeechServiceError once the service has closed the socket, Error after `finish`
   */
  sendAudio(samples: Uint8Array | Int16Array): Promise<void>;
  /** Says that the recording has ended; may be said again. */
  finish(message: Message): void;
  close(): void;
}

/** Below the limit of 32,768 bytes, and whole samples. */
const maxFrameBytes = 32_000;
/** More is not queued in memory: half a minute of audio. */
const maxBufferedBytes = 1_048_576;
const drainPollMs = 20;

/** @throws SpeechServiceError `unreachable` when the socket is not accepted */
export async function openMessageSocket(target: SocketTarget): Promise<MessageSocket> {
  const socket = connect(target);
  socket.binaryType = 'arraybuffer';
  const inbox = createInbox(socket, target.onText);
  await inbox.opened;
  let odd: number | null = null;
  let isFinished = false;
  const rejectLate = (): void => {
    const failure = inbox.failure();
    if (failure) throw failure;
    // The service would leave it out without a word.
    if (isFinished) throw new Error('the stream is finished and takes no more audio');
  };
  const sendMessage = (message: Message): void => socket.send(JSON.stringify(message));
  return {
    next: () => inbox.next(),
    sendMessage,
    finish(message) {
      isFinished = true;
      sendMessage(message);
    },
    async sendAudio(samples) {
      rejectLate();
      const { bytes, rest } = wholeSamples(odd, bytesOf(samples));
      odd = rest;
      for (let at = 0; at < bytes.length; at += maxFrameBytes) {
        while (socket.bufferedAmount > maxBufferedBytes && !inbox.failure()) {
          await sleep(drainPollMs);
        }
        rejectLate();
        socket.send(bytes.slice(at, at + maxFrameBytes));
      }
    },
    close: () => socket.close(1000),
  };
}

function connect({ url, protocols, headers, webSocket = WebSocket }: SocketTarget): WebSocket {
  if (headers === undefined) return new webSocket(url, [...protocols]);
  // Node's WebSocket takes headers in the place of the protocols.
  const init = { protocols: [...protocols], headers };
  return new webSocket(url, init as unknown as string[]);
}

interface Inbox {
  readonly opened: Promise<void>;
  next(): Promise<Message>;
  /** Set once nothing more can be sent. */
  failure(): SpeechServiceError | null;
}

function createInbox(socket: WebSocket, onText: LiveOptions['onText']): Inbox {
  const isText = onText ? createLiveReader(onText) : () => false;
  const queue: Message[] = [];
  let failure: SpeechServiceError | null = null;
  let isOpen = false;
  let wake = (): void => {};
  const opened = new Promise<void>((resolve, reject) => {
    socket.addEventListener('open', () => {
      isOpen = true;
      resolve();
    });
    socket.addEventListener('close', ({ code, reason }) => {
      const end = `${code}${reason === '' ? '' : `: ${reason}`}`;
      // A WebSocket does not tell the answer to an upgrade.
      const why = isOpen
        ? `the stream was closed with ${end}`
        : `no stream at ${socket.url}: the service was not reached, or it refused the key, ` +
          `ticket or token, which may be invalid or used (${end})`;
      failure ??= new SpeechServiceError(why, { status: 0, code: 'unreachable' });
      reject(failure);
      wake();
    });
  });
  socket.addEventListener('message', ({ data }) => {
    const message = JSON.parse(String(data)) as Message;
    if (isText(message)) return;
    // An error without a delay after which to try again closes the stream.
    if (message.type === 'error' && message['retry_after_ms'] === undefined)
      failure ??= streamError(message);
    queue.push(message);
    wake();
  });
  return {
    opened,
    failure: () => failure,
    async next() {
      while (queue.length === 0) {
        if (failure) throw failure;
        await new Promise<void>((resolve) => (wake = resolve));
      }
      const message = queue.shift()!;
      if (message.type === 'error' && failure) throw failure;
      return message;
    },
  };
}

/** Spectra-2 sends the envelope's error, the lite stream its members. */
function streamError(message: Message): SpeechServiceError {
  const error = (message['error'] ?? message) as Readonly<Record<string, string | null>>;
  return new SpeechServiceError(error['message'] ?? 'the stream failed', {
    status: 0,
    code: error['code'] ?? 'unknown',
    param: error['param'] ?? null,
    requestId: error['request_id'] ?? null,
  });
}

function bytesOf(samples: Uint8Array | Int16Array): Uint8Array {
  const { buffer, byteOffset, byteLength } = samples;
  return new Uint8Array(buffer, byteOffset, byteLength);
}

/** A piece may end within a sample; its byte belongs to the next piece. */
function wholeSamples(
  odd: number | null,
  bytes: Uint8Array,
): { readonly bytes: Uint8Array; readonly rest: number | null } {
  const all = odd === null ? bytes : new Uint8Array(1 + bytes.length);
  if (odd !== null) {
    all[0] = odd;
    all.set(bytes, 1);
  }
  const whole = all.length - (all.length % 2);
  return { bytes: all.subarray(0, whole), rest: whole < all.length ? all[whole]! : null };
}
