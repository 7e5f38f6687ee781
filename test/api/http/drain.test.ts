// How long, and how much, is read of a body whose answer is already on its way.
import { EventEmitter } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { mock } from 'node:test';
import test from 'ava';
import { drainUnread } from '../../../api/http/drain.ts';
import type { Cleanup } from '../../support/cleanup.ts';

class Body extends EventEmitter {
  complete = false;
  destroyed = false;
  isRead = false;
  destroy(): void {
    this.destroyed = true;
  }
  resume(): void {
    this.isRead = true;
  }
}

function drained(body = new Body()): Body {
  const response = { shouldKeepAlive: true } as ServerResponse;
  drainUnread(body as unknown as IncomingMessage, response);
  return body;
}

function holdTime(t: Cleanup): void {
  mock.timers.enable({ apis: ['setTimeout'] });
  t.teardown(() => mock.timers.reset());
}

test.serial('the rest of a body is read for 15 seconds, however slowly it comes', (t) => {
  holdTime(t);
  const [slow, ended, lost] = [drained(), drained(), drained()];
  t.true(slow.isRead);
  for (let second = 1; second < 15; second += 1) {
    mock.timers.tick(1_000);
    slow.emit('data', Buffer.alloc(1));
  }
  ended.emit('end');
  lost.emit('close');
  mock.timers.tick(999);
  t.false(slow.destroyed);
  mock.timers.tick(1);
  t.true(slow.destroyed);
  t.false(ended.destroyed || lost.destroyed, 'what is over needs no end');
});

test.serial('64 MiB of it are read at most, and small blocks count as more', (t) => {
  holdTime(t);
  const [large, small] = [drained(), drained()];
  const block = Buffer.alloc(2 ** 20);
  for (let sent = 0; sent < 63; sent += 1) large.emit('data', block);
  t.false(large.destroyed);
  for (let sent = 0; sent < 2; sent += 1) large.emit('data', block);
  t.true(large.destroyed);
  for (let sent = 0; sent < 2 ** 20 && !small.destroyed; sent += 1)
    small.emit('data', Buffer.alloc(1));
  t.true(small.destroyed, 'each has its work');
});

test.serial('nothing is read of a body that is over', (t) => {
  holdTime(t);
  for (const over of ['complete', 'destroyed'] as const) {
    t.false(drained(Object.assign(new Body(), { [over]: true })).isRead, over);
  }
});
