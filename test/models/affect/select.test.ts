// Selecting labels and averaging logits.
import test from 'ava';
import fc from 'fast-check';
import { axisPoles, emotionLabels, styleLabels } from '../../../models/contract/labels.ts';
import { floorLogits } from '../../../models/affect/no-speech.ts';
import { meanOverTime, selectLabels } from '../../../models/affect/select.ts';
import { sigmoid } from '../../../models/asr/sigmoid.ts';

const half = <L extends string>(labels: readonly L[]): Record<L, number> =>
  Object.fromEntries(labels.map((label) => [label, 0.5])) as Record<L, number>;
const thresholds = {
  emotionThresholds: half(emotionLabels),
  styleThresholds: half(styleLabels),
};
const logits = fc.array(fc.integer({ min: -20, max: 20 }), {
  minLength: 31,
  maxLength: 31,
});

/** Opposites of which both would clear their threshold. */
function beaten(labels: readonly string[], values: readonly number[]): number {
  const clears = (label: string): boolean => (values[labels.indexOf(label)] ?? -1) >= 0;
  return axisPoles.filter((pair) => pair.every(clears)).length;
}

test('selected labels clear their thresholds, in order, and there is always one emotion', (t) => {
  fc.assert(
    fc.property(logits, (values) => {
      const { emotions, styles } = selectLabels(values, thresholds);
      fc.pre(new Set(values).size > 1);
      const clear = values.slice(0, 15).filter((value) => value >= 0).length;
      t.is(emotions.length + beaten(emotionLabels, values.slice(0, 15)), Math.max(1, clear));
      const styled = values.slice(15).filter((value) => value >= 0).length;
      t.is(styles.length + beaten(styleLabels, values.slice(15)), styled);
      const selected = [...emotions, ...styles].map(({ label }) => label);
      for (const pair of axisPoles) t.false(pair.every((pole) => selected.includes(pole)));
      for (const list of [emotions, styles]) {
        t.true(list.every(({ score }, i) => i === 0 || score <= list[i - 1]!.score));
      }
      t.is(emotions[0]!.score, sigmoid(Math.max(...values.slice(0, 15))));
    }),
  );
});

test('the mean of logits is weighted by seconds and lies between its parts', (t) => {
  const low = { values: Array<number>(31).fill(-1), seconds: 1 };
  const high = { values: Array<number>(31).fill(3), seconds: 3 };
  t.deepEqual(meanOverTime([low, high]), Array<number>(31).fill(2));
  t.deepEqual(meanOverTime([{ ...low, seconds: 0 }]), low.values);
});

test('the sigmoid stays finite', (t) => {
  t.is(sigmoid(-1e6), 0);
  t.is(sigmoid(1e6), 1);
  t.is(sigmoid(0), 0.5);
});

test('floor logits have no labels, not even a best emotion', (t) => {
  t.deepEqual(selectLabels(floorLogits(), thresholds), { emotions: [], styles: [] });
});
