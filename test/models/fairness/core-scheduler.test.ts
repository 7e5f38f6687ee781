// The scheduler of one core, tested with a mocked clock and the order of steps, never by wall time.
import { setImmediate as nextTick } from 'node:timers/promises';
import test from 'ava';
import fc from 'fast-check';
import {
  createCoreScheduler,
  type JobClaim,
  type CoreScheduler,
} from '../../../models/fairness/core-scheduler.ts';

const sliceMs = 100;
const shortJobMs = 300;

interface Step {
  readonly name: string;
  readonly ms: number;
}

/** A core whose steps are numbers of milliseconds: one at a time, in the order of the scheduler. */
function createCore() {
  let clockMs = 0;
  const steps: Step[] = [];
  const turns = createCoreScheduler({ sliceMs, shortJobMs, now: () => clockMs });
  const perform = async (
    name: string,
    stepsMs: readonly number[],
    claim: Partial<JobClaim> = {},
  ) => {
    const turn = turns.open({
      organizationId: name[0]!,
      priority: 1,
      costMs: sum(stepsMs),
      ...claim,
    });
    for (const ms of stepsMs) {
      // Messages that arrived meanwhile are read between two steps.
      await nextTick();
      await turn.yieldCore();
      steps.push({ name, ms });
      clockMs += ms;
    }
    turn.end();
    return turn;
  };
  return { perform, steps, names: () => steps.map(({ name }) => name).join(' ') };
}

const equal = (count: number, ms: number): number[] => Array<number>(count).fill(ms);

test('a lone job runs without a break, and no job has waited for it', async (t) => {
  const core = createCore();
  const turn = await core.perform('a', equal(20, 40));
  t.is(turn.usedMs(), 800);
  t.is(turn.longestBlockingMs(), 0);
});

test("another organization's short job runs at the next step, to its end", async (t) => {
  const core = createCore();
  const long = core.perform('a', equal(8, 60));
  while (core.steps.length < 3) await nextTick();
  const short = await core.perform('b', equal(4, 20));
  await long;
  t.regex(core.names(), /^a a a (a )?b b b b a/);
  t.is(short.usedMs(), 80);
});

test("another organization's clip longer than a slice still runs in one", async (t) => {
  const core = createCore();
  const long = core.perform('a', equal(20, 60));
  while (core.steps.length < 3) await nextTick();
  await core.perform('b', equal(7, 40));
  await long;
  t.regex(core.names(), /^a a a (a )?b b b b b b b a/);
});

test('a job that takes longer than expected is preempted all the same', async (t) => {
  const core = createCore();
  const long = core.perform('a', equal(20, 60));
  while (core.steps.length < 3) await nextTick();
  await core.perform('b', equal(20, 40), { costMs: 10 });
  await long;
  t.regex(core.names(), /^a a a (a )?(b ){8}a/);
});

test('an urgent job runs at the next step and keeps the core from others', async (t) => {
  const core = createCore();
  const bulk = core.perform('a', equal(6, 50), { priority: 3 });
  while (core.steps.length < 2) await nextTick();
  await core.perform('a2', equal(8, 50), { priority: 1 });
  await bulk;
  t.regex(core.names(), /^a a (a )?a2 a2 a2 a2 a2 a2 a2 a2 a/);
});

test('a series of short jobs does not starve the long one beside them', async (t) => {
  const core = createCore();
  const long = core.perform('a', equal(20, 40));
  for (let i = 0; i < 10; i += 1) await core.perform('b', equal(3, 20));
  const had = (name: string): number =>
    core.steps.filter((step) => step.name === name).reduce((sum, { ms }) => sum + ms, 0);
  t.true(had('a') >= had('b') - shortJobMs, core.names());
  await long;
});

test('no job has the core for longer than a clip and a step while an equal waits', async (t) => {
  const jobs = fc.record({
    organizationId: fc.constantFrom('a', 'b', 'c'),
    steps: fc.array(fc.integer({ min: 1, max: 150 }), { minLength: 1, maxLength: 25 }),
    delay: fc.nat({ max: 20 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(jobs, { minLength: 1, maxLength: 4 }), async (all) => {
      const core = createCore();
      const ended = await Promise.all(
        all.map(async ({ organizationId, steps, delay }) => {
          for (let i = 0; i < delay; i += 1) await nextTick();
          return core.perform(organizationId, steps);
        }),
      );
      const longestStep = Math.max(...all.flatMap(({ steps }) => steps));
      ended.forEach((turn, i) => {
        const own = sum(all[i]!.steps) <= shortJobMs ? shortJobMs : sliceMs;
        t.true(turn.longestBlockingMs() <= own + longestStep);
        t.is(turn.usedMs(), sum(all[i]!.steps));
      });
      t.is(core.steps.length, sum(all.map(({ steps }) => steps.length)));
    }),
    { numRuns: 50 },
  );
});

test('a job that ends without a step leaves the core to the others', async (t) => {
  const turns: CoreScheduler = createCoreScheduler({ sliceMs, shortJobMs, now: () => 0 });
  const first = turns.open({ organizationId: 'a', priority: 1, costMs: 1 });
  const second = turns.open({ organizationId: 'b', priority: 1, costMs: 1 });
  await first.yieldCore();
  let gone = false;
  const taken = second.yieldCore().then(() => (gone = true));
  await nextTick();
  t.false(gone);
  first.end();
  await taken;
  t.true(gone);
});

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
