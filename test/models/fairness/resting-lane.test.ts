// A lane says when nothing is left in it, so that who keeps lanes by key can let it go.
import { setImmediate } from 'node:timers/promises';
import test from 'ava';
import { createRestingLane } from '../../../models/fairness/resting-lane.ts';

test('a lane is empty when its last step has rested, and not before', async (t) => {
  let emptied = 0;
  const rests: (() => void)[] = [];
  const lane = createRestingLane({
    slots: () => 1,
    rests: () => true,
    maxRestMs: 100,
    emptied: () => (emptied += 1),
    clock: { now: () => 0, rest: () => new Promise((end) => rests.push(end)) },
  });
  const step = (): Promise<void> => lane.run(() => Promise.resolve());
  const endRest = async (): Promise<void> => {
    rests.shift()!();
    await setImmediate();
  };
  await Promise.all([step(), step(), endsSoon(endRest)]);
  t.is(emptied, 0, 'the second step has not rested');
  await endRest();
  t.is(emptied, 1);
});

/** After the steps that may begin have ended. */
async function endsSoon(act: () => Promise<void>): Promise<void> {
  await setImmediate();
  await act();
}
