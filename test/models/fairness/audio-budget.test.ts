// The audio that is in memory at once: what is not left is refused, what is given back is not.
import test from 'ava';
import { createAudioBudget } from '../../../models/fairness/audio-budget.ts';

test('all shares together hold no more than there is', (t) => {
  const budget = createAudioBudget(480);
  const [first, second, third] = [budget.share(), budget.share(), budget.share()];
  t.true(first.hold(300));
  t.false(second.hold(181));
  t.true(second.hold(180));
  t.false(third.hold(1));
  t.true(third.hold(0));
});

test('what a share gives back is there for others, once', (t) => {
  const budget = createAudioBudget(480);
  const [first, second] = [budget.share(), budget.share()];
  first.hold(480);
  t.true(first.hold(100));
  t.false(second.hold(381));
  t.true(first.hold(0));
  t.true(first.hold(0));
  t.true(second.hold(480));
  t.false(first.hold(1));
});

test('a share that is refused keeps what it has', (t) => {
  const budget = createAudioBudget(480);
  const [first, second] = [budget.share(), budget.share()];
  first.hold(200);
  t.false(first.hold(481));
  t.false(second.hold(281));
  t.true(second.hold(280));
});
