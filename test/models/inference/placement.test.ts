// Where jobs run: every slot is used, organizations share busy processes, none has two shares.
import test from 'ava';
import fc from 'fast-check';
import type { Priority } from '../../../models/inference/jobs.ts';
import {
  interactiveReserveMs,
  createPlacement,
  tenantReserveMs,
  type PlacedJob,
} from '../../../models/inference/placement.ts';

const job = (organizationId: string, priority: Priority = 1, cost = 50): PlacedJob => ({
  organizationId,
  priority,
  cost,
});
const place = (...open: readonly PlacedJob[]) => ({ ready: true, open: new Set(open) });

test('an organization that is alone takes every process, and never shares with itself', (t) => {
  const all = [place(), place()];
  const places = createPlacement(all);
  for (const expected of all.toReversed()) {
    const found = places.find(job('a'), 0);
    t.is(found, expected);
    found!.open.add(job('a'));
  }
  t.is(places.find(job('a'), 0), null);
});

test('another organization shares a busy process, up to as many as the first has', (t) => {
  const all = [place(job('a')), place(job('a'))];
  const places = createPlacement(all);
  const first = places.find(job('b'), 0)!;
  first.open.add(job('b'));
  const second = places.find(job('b'), 0)!;
  second.open.add(job('b'));
  t.deepEqual(new Set([first, second]), new Set(all));
  t.is(places.find(job('b'), 0), null);
  t.is(places.find(job('a'), 0), null);
});

test('two organizations with a process each do not share each other’s', (t) => {
  const places = createPlacement([place(job('a')), place(job('b'))]);
  t.is(places.find(job('a'), 0), null);
  t.is(places.find(job('b'), 0), null);
  t.truthy(places.find(job('c'), 0));
});

test('the last slot of a process is for short jobs', (t) => {
  const places = createPlacement([place(job('a', 1, 700), job('b', 1, 700))]);
  t.is(places.find(job('c', 1, 700), 0), null);
  t.truthy(places.find(job('c', 1, 60), 0));
  const full = createPlacement([place(job('a'), job('b'), job('c'))]);
  t.is(full.find(job('d'), 0), null);
});

test('interactive work goes where bulk is; bulk waits for interactive work', (t) => {
  const [caller, bulk] = [place(job('a')), place(job('a', 3))];
  const places = createPlacement([caller, bulk]);
  t.is(places.find(job('a'), 0), bulk);
  t.is(places.find(job('b'), 0), bulk);
  t.is(createPlacement([caller]).find(job('b', 3), 0), null);
});

test('bulk takes every process without interactive load, and else leaves one', (t) => {
  const free = place();
  const places = createPlacement([place(job('a', 3)), free]);
  t.is(places.find(job('a', 3), 0), free);
  places.interactiveSeen('b', 10);
  t.is(places.find(job('a', 3), 10 + interactiveReserveMs), null);
  t.is(places.find(job('a', 1), 10 + interactiveReserveMs), free);
  t.is(places.find(job('a', 3), 11 + interactiveReserveMs), free);
  const single = createPlacement([place()]);
  single.interactiveSeen('b', 0);
  t.truthy(single.find(job('a', 3), 1));
});

test('an organization leaves a process to others that were there lately', (t) => {
  const free = place();
  const places = createPlacement([place(job('a', 1, 700)), free]);
  places.interactiveSeen('a', 0);
  t.is(places.find(job('a', 1, 700), 0), free, 'nobody else is about');
  places.interactiveSeen('b', 10);
  t.is(places.find(job('a', 1, 700), 10 + tenantReserveMs), null);
  t.is(places.find(job('a', 1, 3), 10 + tenantReserveMs), null, 'nor for what is short');
  t.is(places.find(job('b', 1, 40), 10 + tenantReserveMs), free);
  t.is(places.find(job('c', 1, 700), 10 + tenantReserveMs), free);
  t.is(places.find(job('a', 1, 700), 11 + tenantReserveMs), free, 'they have gone');
});

test('short jobs go to the last process, which leaves the rest to long ones', (t) => {
  const all = [place(), place(), place()];
  const places = createPlacement(all);
  t.is(places.find(job('a', 1, 40), 0), all[2]!);
  t.is(places.find(job('a', 1, 96), 0), all[0]!);
  const taken = [place(job('a')), place(job('a'))];
  t.is(createPlacement(taken).find(job('b', 1, 40), 0), taken[1]!);
  t.is(createPlacement(taken).find(job('b', 1, 700), 0), taken[0]!);
});

test('who floods with quick jobs leaves the end to the others, and so does bulk', (t) => {
  const all = [place(), place()];
  const places = createPlacement(all);
  for (let ms = 0; ms <= 1_000; ms += 100) places.interactiveSeen('flood', ms, 40);
  t.is(places.find(job('flood', 1, 40), 1_000), all[1]!, 'nobody else is about');
  places.interactiveSeen('a', 1_000, 40);
  t.is(places.find(job('flood', 1, 40), 1_000), all[0]!);
  t.is(places.find(job('a', 1, 40), 1_000), all[1]!);
  t.is(places.find(job('b', 1, 40), 1_000), all[1]!);
  t.is(places.find(job('flood', 3, 40), 1_000), all[0]!);
  t.is(places.find(job('flood', 1, 40), 20_000), all[1]!, 'and later it is as anybody');
});

test('of many processes an organization leaves one to others', (t) => {
  const all = [place(job('a')), place(), place(), place()];
  const places = createPlacement(all);
  places.interactiveSeen('b', 0);
  for (const expected of [all[3]!, all[2]!, null]) {
    const found = places.find(job('a'), 0);
    t.is(found, expected);
    found?.open.add(job('a'));
  }
});

test('a process whose models are not loaded takes nothing', (t) => {
  t.is(createPlacement([{ ...place(), ready: false }]).find(job('a'), 0), null);
});

test('with every process taken, an organization without a job shares one', (t) => {
  const jobs = fc.record({
    organizationId: fc.constantFrom('a', 'b'),
    priority: fc.constantFrom<Priority>(1, 3, 5),
    cost: fc.integer({ min: 1, max: 5_000 }),
  });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 4 }), fc.array(jobs), (count, all) => {
      const slots = Array.from({ length: count }, () => place());
      const places = createPlacement(slots);
      for (const each of all) places.find(each, 0)?.open.add(each);
      const room = slots.some(({ open }) => open.size < 3);
      t.is(places.find(job('fresh'), 0) !== null, room);
    }),
  );
});
