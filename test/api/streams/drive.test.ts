// One socket and its machine: floods are charged, rejected once, and read no further.
import { EventEmitter } from 'node:events';
import test from 'ava';
import type { WebSocket } from 'ws';
import { driveStream, type StreamActions } from '../../../api/streams/drive.ts';
import { openLite, stepLite, type LiteAdmitted } from '../../../api/streams/protocols/lite.ts';
import { suspendedFailure } from '../../../api/streams/protocols/protocol.ts';

/** What the driver did to its socket, in order. */
class FakeSocket extends EventEmitter {
  readonly done: string[] = [];
  bufferedAmount = 0;
  send(text: string): void {
    const { type, code } = JSON.parse(text) as { type: string; code?: string };
    this.done.push(code ? `${type} ${code}` : type);
  }
  close(code: number, reason: string): void {
    this.done.push(`close ${code}${reason}`);
  }
  pause(): void {
    this.done.push('pause');
  }
  terminate(): void {
    this.done.push('terminate');
  }
}

function drive() {
  const admission = Promise.withResolvers<LiteAdmitted>();
  const socket = new FakeSocket();
  const recorded: number[] = [];
  let abandoned = 0;
  const actions: StreamActions<null, LiteAdmitted> = {
    admit: () => admission.promise,
    record: ({ length }) => void recorded.push(length),
    finish: () => Promise.resolve({ type: 'final' }),
    abandon: () => {
      abandoned += 1;
      return Promise.resolve();
    },
    prefer: () => {},
    decorate: (message) => message,
    toFailure: () => suspendedFailure,
  };
  const machine = { first: openLite('unknown'), step: stepLite };
  const drive = { actions, expiresInMs: null };
  const stream = driveStream(socket as unknown as WebSocket, machine, drive);
  return {
    socket,
    recorded,
    abandoned: () => abandoned,
    admit: async (): Promise<void> => {
      admission.resolve({ coveredSeconds: 60 });
      while (!socket.done.includes('ready')) await new Promise(setImmediate);
    },
    end: async (): Promise<void> => {
      admission.resolve({ coveredSeconds: 60 });
      socket.emit('close');
      await stream.over;
    },
  };
}

for (const [name, event, args] of [
  ['empty text frames', 'message', [Buffer.alloc(0), false]],
  ['pings that wait for ready', 'message', [Buffer.from('{"type":"ping"}'), false]],
  ['frames of one sample', 'message', [Buffer.alloc(2), true]],
  ['control frames', 'ping', [Buffer.alloc(0)]],
  ['unasked pongs', 'pong', [Buffer.alloc(125)]],
] as const) {
  test(`a flood of ${name} ends with one error and is not read on`, async (t) => {
    const { socket, recorded, abandoned, end } = drive();
    for (let i = 0; i < 20_000; i += 1) socket.emit(event, ...args);
    t.deepEqual(socket.done, ['pause', 'error invalid_message', 'close 1008']);
    await end();
    t.is(abandoned(), 1);
    t.deepEqual(recorded, []);
  });
}

test('a minute in frames of 10 ms, sent at once before ready, is recorded in full', async (t) => {
  const { socket, recorded, admit, end } = drive();
  for (let i = 0; i < 6_000; i += 1) socket.emit('message', Buffer.alloc(320), true);
  socket.emit('message', Buffer.from('{"type":"commit"}'), false);
  t.deepEqual(recorded, []);
  await admit();
  while (!socket.done.includes('close 1000')) await new Promise(setImmediate);
  t.is(recorded.length, 6_000);
  await end();
  t.deepEqual(socket.done.slice(0, 3), ['ready', 'final', 'close 1000']);
});

test('a client that sends requests and reads nothing is cut off', async (t) => {
  const { socket, admit, end } = drive();
  await admit();
  socket.bufferedAmount = 1_000_000;
  socket.emit('message', Buffer.from('{"type":"ping"}'), false);
  t.deepEqual(socket.done, ['ready', 'terminate']);
  await end();
});

test('a violation of WebSocket itself is preceded by an error message', async (t) => {
  for (const [violation, code, close] of [
    [1009, 'frame_too_large', 1009],
    [1007, 'invalid_message', 1008],
    [1002, 'invalid_message', 1008],
  ] as const) {
    const { socket, end } = drive();
    socket.emit('violation', violation);
    t.deepEqual(socket.done, [`error ${code}`, `close ${close}`]);
    await end();
  }
});
