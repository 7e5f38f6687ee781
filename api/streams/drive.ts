// One socket driven by its protocol's state machine: messages and timers in, effects out.
import type { RawData, WebSocket } from 'ws';
import { createCharging, type Charging } from './charging.ts';
import { meterSocket } from './metered-socket.ts';
import { createPendingWork } from './pending-work.ts';
import {
  brokenFrameFailure,
  closeCodes,
  largeFrameFailure,
  lifetimeFailure,
  maxFrameBytes,
  type Step,
  type StreamEffect,
  type StreamEvent,
  type StreamFailure,
  type StreamFault,
} from './protocols/protocol.ts';
import { closeTimeoutMs, idleMs, lifetimeMs } from './timeouts.ts';

export interface StreamMachine<State, Start, Admitted> {
  readonly first: Step<State, Start>;
  readonly step: (state: State, event: StreamEvent<Admitted>) => Step<State, Start>;
}

/** The implementations of the effects; each may fail with a StreamFailure made by `toFailure`. */
export interface StreamActions<Start, Admitted> {
  admit(start: Start): Promise<Admitted>;
  record(data: Uint8Array): void;
  prefer(terms: readonly string[]): void;
  /**
   * @param onCharge called before the charge is written, which nothing may end without its result
   * @returns the message with the result
   */
  finish(onCharge: () => void): Promise<object>;
  abandon(fault: StreamFault): Promise<void>;
  /** Completes a message before it is sent. */
  decorate(message: object): object;
  toFailure(error: unknown): StreamFailure;
}

export interface StreamDrive<Start, Admitted> {
  readonly actions: StreamActions<Start, Admitted>;
  /** Milliseconds until the prepared session expires; null without one. */
  readonly expiresInMs: number | null;
}

export interface DrivenStream {
  /** Resolves when the socket is closed and all work that it started has ended. */
  readonly over: Promise<void>;
  /** Ends the stream with a failure from outside its protocol. */
  fail(failure: StreamFailure): void;
  /** Whether it was ended for exceeding the message quota. */
  hasFlooded(): boolean;
}

export interface RecordingStream extends DrivenStream {
  /** Sends text before the result, unless the stream has ended. */
  interim(message: object): void;
}

/** The limit of unsent output, in bytes; a stream sends far less in total. */
const maxBufferedBytes = 262_144;

export function driveStream<State, Start, Admitted>(
  socket: WebSocket,
  machine: StreamMachine<State, Start, Admitted>,
  { actions, expiresInMs }: StreamDrive<Start, Admitted>,
): RecordingStream {
  let { state } = machine.first;
  const { track, settled } = createPendingWork();
  const charging = createCharging();
  const perform = (effects: readonly StreamEffect<Start>[]): void => {
    for (const effect of effects)
      performEffect(effect, { socket, actions, handle, track, charging });
  };
  const handle = (event: StreamEvent<Admitted>): void => {
    const step = machine.step(state, event);
    state = step.state;
    perform(step.effects);
  };
  const fail = (failure: StreamFailure): void => {
    charging.afterwards(() => handle({ kind: 'failed', failure }));
  };
  const clocks = [
    setTimeout(() => fail(lifetimeFailure), lifetimeMs),
    ...(expiresInMs === null
      ? []
      : [setTimeout(() => handle({ kind: 'expired' }), Math.max(0, expiresInMs))]),
  ];
  const idle = setTimeout(() => handle({ kind: 'idle' }), idleMs);
  const hasFlooded = listen(socket, {
    charging,
    fail,
    onMessage(event) {
      idle.refresh();
      charging.afterwards(() => handle(event));
    },
  });
  const closed = Promise.withResolvers<void>();
  socket.once('close', () => {
    for (const clock of [idle, ...clocks]) clearTimeout(clock);
    handle({ kind: 'gone' });
    closed.resolve();
  });
  perform(machine.first.effects);
  const interim = (message: object): void => handle({ kind: 'interim', message });
  return { over: closed.promise.then(settled), fail, interim, hasFlooded };
}

interface Listener {
  readonly charging: Charging;
  readonly fail: (failure: StreamFailure) => void;
  readonly onMessage: (event: StreamEvent<never>) => void;
}

/**
 * Messages within the quota become events; the first one beyond it ends the stream.
 * @returns a function that tells whether the quota was exceeded
 */
function listen(socket: WebSocket, { charging, fail, onMessage }: Listener): () => boolean {
  const { isWithinQuota, hasFlooded } = meterSocket(socket, { charging, fail });
  socket.on('message', (data: RawData, isBinary: boolean) => {
    const bytes = toBuffer(data);
    if (!isWithinQuota(isBinary ? 'audio' : 'control', bytes.length)) return;
    if (isBinary) onMessage({ kind: 'binary', data: bytes });
    else if (bytes.length > maxFrameBytes) fail(largeFrameFailure);
    else onMessage({ kind: 'text', text: bytes.toString() });
  });
  socket.on('violation', (code: number) => {
    fail(code === closeCodes.tooLarge ? largeFrameFailure : brokenFrameFailure);
  });
  // The `close` event that follows is handled, and an unhandled error would end the process.
  socket.on('error', () => {});
  return hasFlooded;
}

interface Performer<Start, Admitted> {
  readonly socket: WebSocket;
  readonly actions: StreamActions<Start, Admitted>;
  readonly handle: (event: StreamEvent<Admitted>) => void;
  /** Work that has to end before the stream is over. */
  readonly track: (work: Promise<void>) => void;
  readonly charging: Charging;
}

function performEffect<Start, Admitted>(
  effect: StreamEffect<Start>,
  { socket, actions, handle, track, charging }: Performer<Start, Admitted>,
): void {
  const failed = (error: unknown): void => {
    handle({ kind: 'failed', failure: actions.toFailure(error) });
  };
  switch (effect.do) {
    case 'admit':
      track(
        actions
          .admit(effect.start)
          .then((admitted) => handle({ kind: 'admitted', admitted }), failed),
      );
      break;
    case 'send':
      if (socket.bufferedAmount > maxBufferedBytes) socket.terminate();
      else socket.send(JSON.stringify(actions.decorate(effect.message)), () => {});
      break;
    case 'record':
      actions.record(effect.data);
      break;
    case 'prefer':
      actions.prefer(effect.terms);
      break;
    case 'finish': {
      const answered = actions
        .finish(() => charging.add(answered))
        .then((message) => handle({ kind: 'result', message }), failed);
      track(answered);
      break;
    }
    case 'abandon':
      track(actions.abandon(effect.fault));
      break;
    case 'close':
      socket.close(effect.code, '');
      setTimeout(() => socket.terminate(), closeTimeoutMs).unref();
      break;
  }
}

function toBuffer(data: RawData): Buffer {
  if (Array.isArray(data)) return Buffer.concat(data);
  return Buffer.isBuffer(data) ? data : Buffer.from(data);
}
