// Shares of slots: whatever organizations do, none below its share waits for one above it.
import test from 'ava';
import fc from 'fast-check';
import {
  createFairGate,
  shareOf,
  type FairGate,
  type Slot,
} from '../../../models/fairness/fair-gate.ts';

/** Enters so often; `lost` collects the numbers of the slots that were preempted. */
function acquireMany(
  gate: FairGate,
  organizationId: string,
  { count, lost = [] }: { readonly count: number; readonly lost?: number[] },
) {
  return Array.from({ length: count }, (_, i) =>
    gate.tryAcquire(organizationId, { value: () => 0, revoke: () => lost.push(i) }),
  );
}

test('an organization that is alone may take every slot, and not one more', (t) => {
  const gate = createFairGate(200);
  const slots = acquireMany(gate, 'hoarder', { count: 201 });
  t.is(slots.filter((slot) => slot !== null).length, 200);
  t.is(slots.at(-1), null);
});

test('an organization that comes later gets its share at once, newest slots first', (t) => {
  const gate = createFairGate(4);
  const lost: number[] = [];
  acquireMany(gate, 'hoarder', { count: 4, lost });
  t.deepEqual(
    acquireMany(gate, 'guest', { count: 3 }).map((slot) => slot !== null),
    [true, true, false],
  );
  t.deepEqual(lost, [3, 2]);
});

test('the slot that has cost least is preempted first', (t) => {
  const gate = createFairGate(3);
  const lost: string[] = [];
  const received = new Map([
    ['first', 5],
    ['second', 1],
    ['third', 9],
  ]);
  for (const name of received.keys()) {
    gate.tryAcquire('hoarder', { value: () => received.get(name)!, revoke: () => lost.push(name) });
  }
  received.set('first', 0);
  t.truthy(gate.tryAcquire('guest'));
  t.deepEqual(lost, ['first']);
});

test('kept slots are not preempted, and block no other organization', (t) => {
  const gate = createFairGate(2);
  const lost: number[] = [];
  for (const slot of acquireMany(gate, 'hoarder', { count: 2, lost })) slot?.pin();
  t.truthy(gate.tryAcquire('guest'));
  t.is(gate.tryAcquire('guest'), null, 'its share is one');
  t.is(gate.tryAcquire('hoarder'), null);
  t.deepEqual(lost, []);
});

test('a slot is freed once, and not by an organization that lost it', (t) => {
  const gate = createFairGate(1);
  const first = gate.tryAcquire('a')!;
  first.release();
  const second = gate.tryAcquire('b', { value: () => 0, revoke: () => {} });
  first.release();
  t.truthy(second);
  t.is(gate.tryAcquire('b'), null);
});

type Step =
  | { readonly kind: 'enter'; readonly who: string; readonly kept: boolean; readonly worth: number }
  | { readonly kind: 'release' | 'pin'; readonly which: number };

const steps = fc.array(
  fc.oneof(
    fc.record({
      kind: fc.constant('enter' as const),
      who: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'),
      kept: fc.boolean(),
      worth: fc.nat(3),
    }),
    fc.record({ kind: fc.constantFrom('release' as const, 'pin' as const), which: fc.nat(40) }),
  ),
  { maxLength: 120 },
);

interface Holding {
  readonly who: string;
  kept: boolean;
  slot: Slot | null;
}

test('property: bounds, shares and who is rejected', (t) => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 9 }), steps, (max, taken: readonly Step[]) => {
      const gate = createFairGate(max);
      let holdings: readonly Holding[] = [];
      let lost: Holding[] = [];
      const count = (who: string) => holdings.filter((held) => held.who === who).length;
      for (const step of taken) {
        if (step.kind !== 'enter') {
          const held = holdings[step.which % Math.max(1, holdings.length)];
          held?.slot?.[step.kind]();
          if (held && step.kind === 'pin') held.kept = true;
          else holdings = holdings.filter((other) => other !== held);
          continue;
        }
        const { who, kept, worth } = step;
        const full = holdings.length >= max;
        const share = shareOf(max, new Set([...holdings.map((held) => held.who), who]).size);
        const below = count(who) < share;
        const open = holdings.filter((held) => !held.kept);
        // Admitted work blocks no one: only slots that others are entitled to do.
        const entitled = open.length >= max && open.every((held) => count(held.who) <= share);
        const entry: Holding = { who, kept, slot: null };
        const preemption = { value: () => worth, revoke: () => void lost.push(entry) };
        entry.slot = kept ? gate.tryAcquire(who) : gate.tryAcquire(who, preemption);
        t.true(entry.slot !== null || full, 'rejected though a slot was free');
        t.true(entry.slot !== null || !below || entitled, 'rejected below its share');
        for (const victim of lost) {
          t.false(victim.kept, 'admitted work is never lost');
          t.true(full && below && count(victim.who) > share, 'taken from whoever is above');
        }
        t.true(lost.length <= 1);
        holdings = holdings.filter((held) => !lost.includes(held));
        lost = [];
        if (entry.slot) holdings = [...holdings, entry];
        t.true(holdings.filter((held) => !held.kept).length <= max);
        const organizations = new Set(holdings.map((held) => held.who)).size;
        let most = 0;
        for (let n = 1; n <= organizations; n += 1) most += shareOf(max, n);
        t.true(holdings.length <= most, `${holdings.length} of ${most}`);
      }
    }),
    { numRuns: 500 },
  );
});
