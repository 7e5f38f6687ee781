// Bulk beside callers: how many of its steps run at once, and how long it rests between them.
import test from 'ava';
import { createBulkPace } from '../../../models/fairness/bulk-pace.ts';
import { createPresence } from '../../../models/fairness/presence.ts';
import type { RestingLane } from '../../../models/fairness/resting-lane.ts';

interface Paced extends RestingLane {
  /** Somebody waits for a recording. */
  callerSeen(): void;
  /** Lets time pass for the steps and the rests. */
  advance(ms: number): Promise<void>;
  running(): number;
  /** Begins a step of so many milliseconds. */
  begin(ms: number): void;
  ended(): number;
}

function paced(cores: number): Paced {
  let nowMs = 0;
  let running = 0;
  let ended = 0;
  let timers: { readonly atMs: number; readonly fire: () => void }[] = [];
  const after = (ms: number): Promise<void> =>
    new Promise((fire) => timers.push({ atMs: nowMs + ms, fire }));
  const callers = createPresence(5_000);
  const pace = createBulkPace({ callers, cores, clock: { now: () => nowMs, rest: after } });
  const settle = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));
  return {
    ...pace,
    callerSeen: () => callers.seen('caller', nowMs),
    running: () => running,
    ended: () => ended,
    begin: (ms) => {
      void pace.run(async () => {
        running += 1;
        await after(ms);
        running -= 1;
        ended += 1;
      });
    },
    advance: async (ms) => {
      for (const end = nowMs + ms; nowMs < end; nowMs += 1) {
        await settle();
        const due = timers.filter(({ atMs }) => atMs <= nowMs);
        timers = timers.filter(({ atMs }) => atMs > nowMs);
        for (const { fire } of due) fire();
      }
      await settle();
    },
  };
}

test('without callers every step runs at once', async (t) => {
  const pace = paced(2);
  for (let i = 0; i < 12; i += 1) pace.begin(40);
  await pace.advance(1);
  t.is(pace.running(), 12);
});

test('beside callers there is one step a core, a quarter of the time', async (t) => {
  const pace = paced(2);
  let most = 0;
  pace.callerSeen();
  for (let i = 0; i < 400; i += 1) pace.begin(10);
  await pace.advance(20);
  const before = pace.ended();
  for (let ms = 0; ms < 1_000; ms += 10) {
    pace.callerSeen();
    await pace.advance(10);
    most = Math.max(most, pace.running());
  }
  t.true(most <= 2, `${most} at once`);
  const ran = pace.ended() - before;
  t.true(ran >= 40 && ran <= 56, `${ran} steps of 10 ms in a second on two cores`);
});

test('a long step rests no longer than others may be expected to wait', async (t) => {
  const pace = paced(1);
  pace.callerSeen();
  pace.begin(1_500);
  pace.begin(10);
  await pace.advance(1_600);
  pace.callerSeen();
  t.is(pace.ended(), 1);
  await pace.advance(2_000);
  t.is(pace.ended(), 2);
});

test('what waits begins as soon as a step ends after the callers have left', async (t) => {
  const pace = paced(1);
  pace.callerSeen();
  for (let i = 0; i < 10; i += 1) pace.begin(2_100);
  await pace.advance(2_110);
  t.is(pace.running(), 9);
});

test('a step that fails is reported, and makes room', async (t) => {
  const callers = createPresence(5_000);
  const clock = { now: () => 0, rest: () => Promise.resolve() };
  const pace = createBulkPace({ callers, cores: 1, clock });
  callers.seen('caller', 0);
  await t.throwsAsync(
    pace.run(() => Promise.reject(new Error('broken'))),
    { message: 'broken' },
  );
  t.is(await pace.run(async () => 'next'), 'next');
});
