// The deadlines of a stream, and what its end waits for.
import { EventEmitter } from 'node:events';
import test from 'ava';
import type { WebSocket } from 'ws';
import { driveStream, type StreamActions } from '../../../api/streams/drive.ts';
import { openLite, stepLite, type LiteAdmitted } from '../../../api/streams/protocols/lite.ts';
import { suspendedFailure, type StreamFailure } from '../../../api/streams/protocols/protocol.ts';
import { fakeClock } from '../../support/fake-clock.ts';
import { settled } from '../../support/scripted-pool.ts';

/** What was done to the socket, in order. */
class FakeSocket extends EventEmitter {
  readonly done: string[] = [];
  readonly bufferedAmount = 0;
  send(text: string): void {
    const { type, code } = JSON.parse(text) as { type: string; code?: string };
    this.done.push(code ? `${type} ${code}` : type);
  }
  close(code: number): void {
    this.done.push(`close ${code}`);
  }
  terminate(): void {
    this.done.push('terminate');
    this.emit('close');
  }
  ping(): void {
    this.emit('message', Buffer.from('{"type":"ping"}'), false);
  }
  speakAndCommit(): void {
    for (let i = 0; i < 10; i += 1) this.emit('message', Buffer.alloc(3_200), true);
    this.emit('message', Buffer.from('{"type":"commit"}'), false);
  }
}

interface Driven {
  readonly socket: FakeSocket;
  readonly over: Promise<void>;
  readonly calls: readonly string[];
}

interface DriveOptions extends Partial<StreamActions<null, LiteAdmitted>> {
  readonly expiresInMs?: number | null;
}

/** A stream that has been admitted, under a mocked clock. */
async function drive({ expiresInMs = null, ...actions }: DriveOptions = {}): Promise<Driven> {
  const socket = new FakeSocket();
  const calls: string[] = [];
  const own: StreamActions<null, LiteAdmitted> = {
    admit: () => Promise.resolve({ coveredSeconds: 60 }),
    record: () => void calls.push('record'),
    finish: () => Promise.resolve({ type: 'final' }),
    abandon: async () => void calls.push('abandon'),
    prefer: () => {},
    decorate: (message) => message,
    toFailure: () => suspendedFailure,
    ...actions,
  };
  const machine = { first: openLite('unknown'), step: stepLite };
  const options = { actions: own, expiresInMs };
  const { over } = driveStream(socket as unknown as WebSocket, machine, options);
  await settled();
  return { socket, over, calls };
}

test.serial('30 s without a message end a stream; every message restarts them', async (t) => {
  const tick = fakeClock(t);
  const { socket, calls } = await drive();
  for (let i = 0; i < 4; i += 1) {
    tick(29_000);
    socket.ping();
  }
  t.deepEqual(calls, []);
  tick(30_000);
  t.deepEqual(socket.done.slice(-2), ['error idle', 'close 4408']);
  t.deepEqual(calls, ['abandon']);
});

test.serial('no message keeps a stream open for longer than 15 minutes', async (t) => {
  const tick = fakeClock(t);
  const { socket } = await drive();
  for (let second = 0; second < 900; second += 20) {
    t.false(socket.done.includes('close 4408'), `closed after ${second} s`);
    tick(20_000);
    socket.ping();
  }
  t.true(socket.done.includes('close 4408'));
});

test.serial('a session’s expiry ends a stream that has not been committed', async (t) => {
  const tick = fakeClock(t);
  const { socket } = await drive({ expiresInMs: 10_000 });
  tick(9_999);
  t.deepEqual(socket.done, ['ready']);
  tick(1);
  t.is(socket.done.at(-1), 'close 4408');
});

test.serial('a session’s expiry keeps the result of a committed stream', async (t) => {
  const tick = fakeClock(t);
  const result = Promise.withResolvers<object>();
  const { socket } = await drive({ expiresInMs: 10_000, finish: () => result.promise });
  socket.speakAndCommit();
  tick(40_000);
  result.resolve({ type: 'final' });
  await settled();
  t.deepEqual(socket.done, ['ready', 'final', 'close 1000']);
});

test.serial('a client that does not answer the close is cut off after 5 s', async (t) => {
  const tick = fakeClock(t);
  const { socket, over } = await drive();
  socket.speakAndCommit();
  await settled();
  t.is(socket.done.at(-1), 'close 1000');
  tick(4_999);
  t.is(socket.done.at(-1), 'close 1000');
  tick(1);
  t.is(socket.done.at(-1), 'terminate');
  await over;
});

test.serial('a stream is over when its work has ended, not at the close', async (t) => {
  fakeClock(t);
  const abandoned = Promise.withResolvers<void>();
  const { socket, over } = await drive({ abandon: () => abandoned.promise });
  let isOver = false;
  const end = over.then(() => {
    isOver = true;
  });
  socket.emit('close');
  await settled();
  t.false(isOver);
  abandoned.resolve();
  await end;
  t.true(isOver);
});

test.serial('no timer outlives its socket', async (t) => {
  const tick = fakeClock(t);
  const { socket, over, calls } = await drive({ expiresInMs: 10_000 });
  socket.emit('close');
  await over;
  tick(16 * 60_000);
  t.deepEqual(socket.done, ['ready']);
  t.deepEqual(calls, ['abandon']);
});

const busy: StreamFailure = { ...suspendedFailure, code: 'busy', retryAfterMs: 500 };

test.serial('a failed analysis is reported; a transient one keeps the recording', async (t) => {
  fakeClock(t);
  const failures = [busy, suspendedFailure];
  const { socket, calls } = await drive({
    finish: () => Promise.reject(new Error('no place')),
    toFailure: () => failures.shift()!,
  });
  socket.speakAndCommit();
  await settled();
  t.deepEqual(socket.done, ['ready', 'error busy']);
  socket.emit('message', Buffer.from('{"type":"commit"}'), false);
  await settled();
  t.deepEqual(socket.done.slice(2), ['error account_suspended', 'close 1008']);
  t.is(calls.filter((call) => call === 'record').length, 10);
});

test.serial('a stream that may not start is rejected before it is ready', async (t) => {
  fakeClock(t);
  const { socket, calls } = await drive({ admit: () => Promise.reject(new Error('suspended')) });
  t.deepEqual(socket.done, ['error account_suspended', 'close 1008']);
  t.deepEqual(calls, ['abandon']);
});
