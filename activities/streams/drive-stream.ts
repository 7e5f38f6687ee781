// One socket driven by its protocol's state machine: messages and clocks in, effects out.
import type { RawData, WebSocket } from 'ws';
import type {
  Step,
  StreamEffect,
  StreamEvent,
  StreamFailure,
} from '../../models/streams/protocol.ts';

export interface StreamMachine<State, Start, Admitted> {
  readonly first: Step<State, Start>;
  readonly step: (state: State, event: StreamEvent<Admitted>) => Step<State, Start>;
}

/** What the effects do; each may fail with a StreamFailure made by `toFailure`. */
export interface StreamActions<Start, Admitted> {
  admit(start: Start): Promise<Admitted>;
  record(data: Uint8Array): void;
  /** @returns the message with the result */
  finish(): Promise<object>;
  abandon(): Promise<void>;
  /** A message as it is sent. */
  decorate(message: object): object;
  toFailure(error: unknown): StreamFailure;
}

export interface StreamDrive<Start, Admitted> {
  readonly actions: StreamActions<Start, Admitted>;
  /** Until the prepared session is over; null without one. */
  readonly expiresInMs: number | null;
}

export interface DrivenStream {
  /** Resolves when the socket is closed and everything that it started has ended. */
  readonly over: Promise<void>;
  /** Ends it from outside. */
  fail(failure: StreamFailure): void;
}

/** contract.md: so long without a message. */
const idleMs = 30_000;
/** A client that does not answer the close gets this long. */
const closeTimeoutMs = 5_000;

export function driveStream<State, Start, Admitted>(
  socket: WebSocket,
  machine: StreamMachine<State, Start, Admitted>,
  { actions, expiresInMs }: StreamDrive<Start, Admitted>,
): DrivenStream {
  let { state } = machine.first;
  const pending = new Set<Promise<void>>();
  const handle = (event: StreamEvent<Admitted>): void => {
    const step = machine.step(state, event);
    state = step.state;
    for (const effect of step.effects) track(performEffect(effect, { socket, actions, handle }));
  };
  const track = (work: Promise<void>): void => {
    const tracked = work.catch(() => {}).finally(() => pending.delete(tracked));
    pending.add(tracked);
  };
  const idle = setTimeout(() => handle({ kind: 'idle' }), idleMs);
  const expiry =
    expiresInMs === null ? undefined : setTimeout(() => handle({ kind: 'expired' }), expiresInMs);

  const closed = Promise.withResolvers<void>();
  socket.on('message', (data: RawData, isBinary: boolean) => {
    idle.refresh();
    const bytes = toBuffer(data);
    handle(isBinary ? { kind: 'binary', data: bytes } : { kind: 'text', text: bytes.toString() });
  });
  // The close that follows says all that matters.
  socket.on('error', () => {});
  socket.once('close', () => {
    clearTimeout(idle);
    clearTimeout(expiry);
    handle({ kind: 'gone' });
    closed.resolve();
  });
  for (const effect of machine.first.effects) {
    track(performEffect(effect, { socket, actions, handle }));
  }
  const settled = async (): Promise<void> => {
    await closed.promise;
    while (pending.size > 0) await Promise.all(pending);
  };
  return { over: settled(), fail: (failure) => handle({ kind: 'failed', failure }) };
}

interface Performer<Start, Admitted> {
  readonly socket: WebSocket;
  readonly actions: StreamActions<Start, Admitted>;
  readonly handle: (event: StreamEvent<Admitted>) => void;
}

/** Begins the effect at once; resolves when what it started has ended. */
async function performEffect<Start, Admitted>(
  effect: StreamEffect<Start>,
  { socket, actions, handle }: Performer<Start, Admitted>,
): Promise<void> {
  const failed = (error: unknown): void => {
    handle({ kind: 'failed', failure: actions.toFailure(error) });
  };
  switch (effect.do) {
    case 'admit':
      await actions
        .admit(effect.start)
        .then((admitted) => handle({ kind: 'admitted', admitted }), failed);
      break;
    case 'send':
      socket.send(JSON.stringify(actions.decorate(effect.message)), () => {});
      break;
    case 'record':
      actions.record(effect.data);
      break;
    case 'finish':
      await actions.finish().then((message) => handle({ kind: 'result', message }), failed);
      break;
    case 'abandon':
      await actions.abandon();
      break;
    case 'close':
      socket.close(effect.code);
      setTimeout(() => socket.terminate(), closeTimeoutMs).unref();
      break;
  }
}

function toBuffer(data: RawData): Buffer {
  if (Array.isArray(data)) return Buffer.concat(data);
  return Buffer.isBuffer(data) ? data : Buffer.from(data);
}
