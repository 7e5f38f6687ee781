// The fair queue: urgent first, no starvation, and another organization's backlog costs at most one
// job.
import test from 'ava';
import fc from 'fast-check';
import { createFairQueue, type WaitingJob } from '../../../models/fairness/fair-queue.ts';

interface NumberedJob extends WaitingJob {
  readonly number: number;
}

type Step = { readonly add: Omit<NumberedJob, 'number'> } | 'take' | { readonly charge: number };

const jobs = fc.record({
  organizationId: fc.constantFrom('a', 'b', 'c', 'd'),
  priority: fc.constantFrom(1, 3, 5),
  cost: fc.integer({ min: 1, max: 100 }),
});
const steps = (options: { readonly priority?: 1 } = {}) =>
  fc.array(
    fc.oneof(
      jobs.map((job): Step => ({ add: { ...job, ...options } })),
      fc.constant<Step>('take'),
      fc.integer({ min: 0, max: 50 }).map((charge): Step => ({ charge })),
    ),
    { maxLength: 120 },
  );

/** Follows the steps; receives each job that is taken, with those that were queued then. */
function follow(
  all: readonly Step[],
  onTake: (taken: NumberedJob | null, waiting: readonly NumberedJob[]) => void = () => {},
) {
  const queue = createFairQueue<NumberedJob>();
  let waiting: readonly NumberedJob[] = [];
  let last: NumberedJob | null = null;
  all.forEach((step, number) => {
    if (step === 'take') {
      const taken = queue.take();
      onTake(taken, waiting);
      waiting = waiting.filter((job) => job !== taken);
      last = taken ?? last;
    } else if ('charge' in step) {
      if (last) queue.charge(last, step.charge);
    } else {
      const job = { ...step.add, number };
      queue.add(job);
      waiting = [...waiting, job];
    }
  });
  return { queue, waiting };
}

test('no slot is idle while a job is queued, and urgent jobs go first', (t) => {
  fc.assert(
    fc.property(steps(), (all) => {
      const { queue, waiting } = follow(all, (taken, waitingThen) => {
        t.is(taken === null, waitingThen.length === 0);
        const urgent = Math.min(...waitingThen.map(({ priority }) => priority));
        if (taken) t.is(taken.priority, urgent);
      });
      t.is(queue.size, waiting.length);
    }),
  );
});

test("an organization's jobs of one priority keep their order", (t) => {
  fc.assert(
    fc.property(steps(), (all) => {
      const lastOf = new Map<string, number>();
      follow(all, (taken) => {
        if (!taken) return;
        const flow = `${taken.organizationId} ${taken.priority}`;
        t.true((lastOf.get(flow) ?? -1) < taken.number);
        lastOf.set(flow, taken.number);
      });
    }),
  );
});

test('a new organization waits for at most one job of each other one', (t) => {
  fc.assert(
    fc.property(steps({ priority: 1 }), steps({ priority: 1 }), (before, after) => {
      const { queue } = follow(before);
      const fresh = { organizationId: 'fresh', priority: 1, cost: 100, number: -1 };
      queue.add(fresh);
      const ahead: string[] = [];
      for (const step of [...after, ...Array<Step>(before.length + after.length).fill('take')]) {
        if (typeof step === 'object' && 'add' in step) queue.add({ ...step.add, number: -1 });
        if (step !== 'take') continue;
        const taken = queue.take();
        if (taken === fresh) break;
        t.truthy(taken, 'the fresh job was never taken');
        ahead.push(taken?.organizationId ?? '');
      }
      t.deepEqual(ahead, [...new Set(ahead)]);
    }),
  );
});

test('organizations with a constant backlog get equal cost, within one job of each', (t) => {
  const costs = fc.array(fc.integer({ min: 1, max: 100 }), { minLength: 40, maxLength: 40 });
  fc.assert(
    fc.property(fc.array(costs, { minLength: 2, maxLength: 4 }), (flows) => {
      const queue = createFairQueue<WaitingJob>();
      const left = new Map<string, number>();
      flows.forEach((costsOf, i) => {
        costsOf.forEach((cost) => queue.add({ organizationId: `${i}`, priority: 1, cost }));
        left.set(`${i}`, costsOf.length);
      });
      const had = new Map(flows.map((_, i) => [`${i}`, 0]));
      while ([...left.values()].every((count) => count > 0)) {
        const { organizationId, cost } = queue.take()!;
        had.set(organizationId, had.get(organizationId)! + cost);
        left.set(organizationId, left.get(organizationId)! - 1);
        t.true(Math.max(...had.values()) - Math.min(...had.values()) <= 200);
      }
    }),
  );
});

test('absence earns no credit: an organization shares from its return on', (t) => {
  const queue = createFairQueue<WaitingJob>();
  const add = (organizationId: string, count: number): void => {
    for (let i = 0; i < count; i += 1) queue.add({ organizationId, priority: 1, cost: 10 });
  };
  const takeAll = (count: number) =>
    Array.from({ length: count }, () => queue.take()?.organizationId).join('');
  add('b', 1);
  add('a', 60);
  takeAll(41);
  add('b', 10);
  t.is(takeAll(10).replaceAll('a', ''), 'bbbbb');
});

test('an organization that costs more than expected waits for the others to catch up', (t) => {
  const queue = createFairQueue<WaitingJob>();
  for (let i = 0; i < 10; i += 1) {
    queue.add({ organizationId: 'a', priority: 1, cost: 1 });
    queue.add({ organizationId: 'b', priority: 1, cost: 1 });
  }
  queue.charge(queue.take()!, 5);
  const next = Array.from({ length: 8 }, () => queue.take()!.organizationId).join('');
  t.is(next, 'bbbbbbab');
});

test('a job that is cancelled, and one that is not accepted, block no other', (t) => {
  const queue = createFairQueue<WaitingJob>();
  const waiting = (organizationId: string): WaitingJob => {
    const job = { organizationId, priority: 1, cost: 1 };
    queue.add(job);
    return job;
  };
  const [a, b, c] = [waiting('a'), waiting('b'), waiting('c')];
  queue.remove(a);
  queue.remove(a);
  t.is(
    queue.take((job) => job !== b),
    c,
  );
  t.is(
    queue.take(() => false),
    null,
  );
  t.deepEqual(queue.drain(), [b]);
  t.is(queue.size, 0);
  t.is(queue.take(), null);
});

test('a job without a cost is rejected, because any number of them would go first', (t) => {
  const queue = createFairQueue<WaitingJob>();
  for (const cost of [0, -1, Number.NaN]) {
    t.throws(() => queue.add({ organizationId: 'a', priority: 1, cost }), {
      instanceOf: RangeError,
    });
  }
});
