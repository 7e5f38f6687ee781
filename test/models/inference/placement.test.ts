// Where jobs run: every slot is used, organizations share busy processes, none has two shares.
import test from 'ava';
import fc from 'fast-check';
import type { Priority } from '../../../models/inference/jobs.ts';
import {
  interactiveReserveMs,
  createPlacement,
  hasSpareCore,
  tenantReserveMs,
  type PlacedJob,
} from '../../../models/inference/placement.ts';

const job = (organizationId: string, priority: Priority = 1, cost = 50): PlacedJob => ({
  organizationId,
  priority,
  cost,
});
const slot = (...open: readonly PlacedJob[]) => ({ ready: true, open: new Set(open) });

test('an organization that is alone takes every process, and never shares with itself', (t) => {
  const all = [slot(), slot()];
  const placement = createPlacement(all);
  for (const expected of all.toReversed()) {
    const found = placement.find(job('a'), 0);
    t.is(found, expected);
    found!.open.add(job('a'));
  }
  t.is(placement.find(job('a'), 0), null);
});

test('a short job that a caller waits for has a second core while nothing else runs', (t) => {
  const idle = { share: () => 0.5 };
  t.true(hasSpareCore(job('a'), [slot(), slot()], idle));
  t.false(hasSpareCore(job('a'), [slot(), slot()], { share: () => 0.1 }));
  t.false(hasSpareCore(job('a'), [slot(), slot(job('a', 3))], idle));
  t.false(hasSpareCore(job('a'), [slot(job('b')), slot()], idle));
  t.false(hasSpareCore(job('a', 3), [slot(), slot()], idle));
  t.false(hasSpareCore(job('a', 1, 700), [slot(), slot()], idle));
  t.false(hasSpareCore(job('a'), [slot()], idle));
});

test('another organization shares a busy process, up to as many as the first has', (t) => {
  const all = [slot(job('a')), slot(job('a'))];
  const placement = createPlacement(all);
  const first = placement.find(job('b'), 0)!;
  first.open.add(job('b'));
  const second = placement.find(job('b'), 0)!;
  second.open.add(job('b'));
  t.deepEqual(new Set([first, second]), new Set(all));
  t.is(placement.find(job('b'), 0), null);
  t.is(placement.find(job('a'), 0), null);
});

test('two organizations with a process each do not share each other’s', (t) => {
  const placement = createPlacement([slot(job('a')), slot(job('b'))]);
  t.is(placement.find(job('a'), 0), null);
  t.is(placement.find(job('b'), 0), null);
  t.truthy(placement.find(job('c'), 0));
});

test('the last slot of a process is for short jobs', (t) => {
  const placement = createPlacement([slot(job('a', 1, 700), job('b', 1, 700))]);
  t.is(placement.find(job('c', 1, 700), 0), null);
  t.truthy(placement.find(job('c', 1, 60), 0));
  const full = createPlacement([slot(job('a'), job('b'), job('c'))]);
  t.is(full.find(job('d'), 0), null);
});

test('interactive work goes where bulk is; bulk waits for interactive work', (t) => {
  const [caller, bulk] = [slot(job('a')), slot(job('a', 3))];
  const placement = createPlacement([caller, bulk]);
  t.is(placement.find(job('a'), 0), bulk);
  t.is(placement.find(job('b'), 0), bulk);
  t.is(createPlacement([caller]).find(job('b', 3), 0), null);
});

test('bulk takes every process without interactive load, and else leaves one', (t) => {
  const free = slot();
  const placement = createPlacement([slot(job('a', 3)), free]);
  t.is(placement.find(job('a', 3), 0), free);
  placement.interactiveSeen('b', 10);
  t.is(placement.find(job('a', 3), 10 + interactiveReserveMs), null);
  t.is(placement.find(job('a', 1), 10 + interactiveReserveMs), free);
  t.is(placement.find(job('a', 3), 11 + interactiveReserveMs), free);
  const single = createPlacement([slot()]);
  single.interactiveSeen('b', 0);
  t.truthy(single.find(job('a', 3), 1));
});

test('an organization leaves a process to others that were active recently', (t) => {
  const free = slot();
  const placement = createPlacement([slot(job('a', 1, 700)), free]);
  placement.interactiveSeen('a', 0);
  t.is(placement.find(job('a', 1, 700), 0), free, 'no other is active');
  placement.interactiveSeen('b', 10);
  t.is(placement.find(job('a', 1, 700), 10 + tenantReserveMs), null);
  t.is(placement.find(job('a', 1, 3), 10 + tenantReserveMs), null, 'nor a short job');
  t.is(placement.find(job('b', 1, 40), 10 + tenantReserveMs), free);
  t.is(placement.find(job('c', 1, 700), 10 + tenantReserveMs), free);
  t.is(placement.find(job('a', 1, 700), 11 + tenantReserveMs), free, 'the reserve has lapsed');
});

test('short jobs go to the last process, which leaves the rest to long ones', (t) => {
  const all = [slot(), slot(), slot()];
  const placement = createPlacement(all);
  t.is(placement.find(job('a', 1, 40), 0), all[2]!);
  t.is(placement.find(job('a', 1, 96), 0), all[0]!);
  const taken = [slot(job('a')), slot(job('a'))];
  t.is(createPlacement(taken).find(job('b', 1, 40), 0), taken[1]!);
  t.is(createPlacement(taken).find(job('b', 1, 700), 0), taken[0]!);
});

test('a flood of short jobs leaves the last slot to others, and so does bulk', (t) => {
  const all = [slot(), slot()];
  const placement = createPlacement(all);
  for (let ms = 0; ms <= 1_000; ms += 100) placement.interactiveSeen('flood', ms, 40);
  t.is(placement.find(job('flood', 1, 40), 1_000), all[1]!, 'no other is active');
  placement.interactiveSeen('a', 1_000, 40);
  t.is(placement.find(job('flood', 1, 40), 1_000), all[0]!);
  t.is(placement.find(job('a', 1, 40), 1_000), all[1]!);
  t.is(placement.find(job('b', 1, 40), 1_000), all[1]!);
  t.is(placement.find(job('flood', 3, 40), 1_000), all[0]!);
  t.is(placement.find(job('flood', 1, 40), 20_000), all[1]!, 'its usage has decayed');
});

test('of many processes an organization leaves one to others', (t) => {
  const all = [slot(job('a')), slot(), slot(), slot()];
  const placement = createPlacement(all);
  placement.interactiveSeen('b', 0);
  for (const expected of [all[3]!, all[2]!, null]) {
    const found = placement.find(job('a'), 0);
    t.is(found, expected);
    found?.open.add(job('a'));
  }
});

test('a process whose models are not loaded gets no job', (t) => {
  t.is(createPlacement([{ ...slot(), ready: false }]).find(job('a'), 0), null);
});

test('with every process taken, an organization without a job shares one', (t) => {
  const jobs = fc.record({
    organizationId: fc.constantFrom('a', 'b'),
    priority: fc.constantFrom<Priority>(1, 3),
    cost: fc.integer({ min: 1, max: 5_000 }),
  });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 4 }), fc.array(jobs), (count, all) => {
      const slots = Array.from({ length: count }, () => slot());
      const placement = createPlacement(slots);
      for (const each of all) placement.find(each, 0)?.open.add(each);
      const room = slots.some(({ open }) => open.size < 3);
      t.is(placement.find(job('fresh'), 0) !== null, room);
    }),
  );
});
