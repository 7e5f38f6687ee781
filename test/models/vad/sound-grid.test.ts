// The hops of voice activity keep their place in the sound, whatever is before it.
import test from 'ava';
import fc from 'fast-check';
import { withSilence } from '../../../models/audio/samples.ts';
import { hopSamples } from '../../../models/vad/hops.ts';
import { gridSamples, gridStart } from '../../../models/vad/sound-grid.ts';
import { createRandom } from '../../support/random.ts';

const random = createRandom(9);
const sound = Int16Array.from({ length: 9_001 }, () => 8_000 * (2 * random() - 1));

test('the first hop begins less than half a hop beside the first sample', (t) => {
  const property = fc.property(fc.nat(3 * hopSamples), (before) => {
    const start = gridStart(withSilence(sound, { before }));
    t.true(start >= -hopSamples / 2 && start < hopSamples / 2);
    t.is(Math.abs(start - before - gridStart(sound)) % hopSamples, 0);
  });
  t.notThrows(() => fc.assert(property));
});

test('silence has its hops from the first sample on', (t) => {
  t.is(gridStart(new Int16Array(700)), 0);
  t.is(gridStart(new Int16Array(0)), 0);
});

test('what comes after a minute does not move them', (t) => {
  const minute = withSilence(sound, { after: gridSamples - sound.length });
  const loud = new Int16Array(5_000).fill(30_000);
  const longer = withSilence(minute, { after: loud.length });
  longer.set(loud, minute.length);
  t.is(gridStart(longer), gridStart(minute));
});
