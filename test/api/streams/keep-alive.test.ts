// A peer that answers no ping is disconnected; one that is heard, or waits to be read, is not.
import { EventEmitter } from 'node:events';
import { mock } from 'node:test';
import test, { type ExecutionContext } from 'ava';
import type { WebSocket } from 'ws';
import { keepAlive } from '../../../api/streams/keep-alive.ts';

class FakeSocket extends EventEmitter {
  isPaused = false;
  pings = 0;
  isTerminated = false;
  ping(): void {
    this.pings += 1;
  }
  terminate(): void {
    this.isTerminated = true;
    this.emit('close');
  }
}

/** A socket that is kept alive under a mocked clock. */
function kept(t: ExecutionContext): FakeSocket {
  mock.timers.enable({ apis: ['setInterval'] });
  t.teardown(() => mock.timers.reset());
  const socket = new FakeSocket();
  keepAlive(socket as unknown as WebSocket);
  return socket;
}

const pass = (): void => mock.timers.tick(20_000);

test.serial('a peer that answers no ping is disconnected by the next one', (t) => {
  const socket = kept(t);
  mock.timers.tick(19_999);
  t.is(socket.pings, 0);
  mock.timers.tick(1);
  t.deepEqual([socket.pings, socket.isTerminated], [1, false]);
  pass();
  t.deepEqual([socket.pings, socket.isTerminated], [1, true]);
  socket.isTerminated = false;
  pass();
  t.false(socket.isTerminated, 'the clock has ended');
});

for (const event of ['pong', 'message']) {
  test.serial(`a peer with a ${event} after each ping stays`, (t) => {
    const socket = kept(t);
    for (let i = 0; i < 5; i += 1) {
      pass();
      socket.emit(event);
    }
    t.deepEqual([socket.pings, socket.isTerminated], [5, false]);
  });
}

test.serial('a peer that is not read is not missed', (t) => {
  const socket = kept(t);
  pass();
  socket.isPaused = true;
  for (let i = 0; i < 5; i += 1) pass();
  t.deepEqual([socket.pings, socket.isTerminated], [1, false]);
  socket.isPaused = false;
  pass();
  t.true(socket.isTerminated);
});
