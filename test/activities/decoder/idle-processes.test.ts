// Which decoder processes wait for the next file of an organization, and for how long.
import test from 'ava';
import { createIdleProcesses } from '../../../activities/decoder/idle-processes.ts';
import { fakeClock } from '../../support/fake-clock.ts';

function fakeProcess(name: string) {
  let alive = true;
  return { name, isAlive: () => alive, kill: () => void (alive = false) };
}

type Fake = ReturnType<typeof fakeProcess>;

test.serial('an organization gets its own process back, and the last one first', (t) => {
  fakeClock(t);
  const idle = createIdleProcesses<Fake>({ max: 3, idleMs: 1_000 });
  const [first, second, other] = ['first', 'second', 'other'].map(fakeProcess);
  idle.keep('a', first!);
  idle.keep('a', second!);
  idle.keep('b', other!);
  t.is(idle.take('a'), second!);
  t.is(idle.take('a'), first!);
  t.is(idle.take('a'), null);
  t.true(other!.isAlive());
});

test.serial('beyond the maximum the one that is idle for longest is killed', (t) => {
  fakeClock(t);
  const idle = createIdleProcesses<Fake>({ max: 2, idleMs: 1_000 });
  const processes = ['a', 'b', 'c'].map(fakeProcess);
  for (const process of processes) idle.keep(process.name, process);
  t.deepEqual(
    processes.map((process) => process.isAlive()),
    [false, true, true],
  );
  t.is(idle.take('a'), null);
});

test.serial('an idle process is killed when its time is over; one that was taken is not', (t) => {
  const advance = fakeClock(t);
  const idle = createIdleProcesses<Fake>({ max: 2, idleMs: 1_000 });
  const [waiting, taken] = ['waiting', 'taken'].map(fakeProcess);
  idle.keep('a', waiting!);
  idle.keep('b', taken!);
  advance(999);
  t.is(idle.take('b'), taken!);
  advance(1);
  t.false(waiting!.isAlive());
  t.true(taken!.isAlive());
  t.is(idle.take('a'), null);
});

test.serial('a process that died while it was idle is not given out', (t) => {
  fakeClock(t);
  const idle = createIdleProcesses<Fake>({ max: 2, idleMs: 1_000 });
  const dead = fakeProcess('dead');
  idle.keep('a', dead);
  dead.kill();
  t.is(idle.take('a'), null);
});
