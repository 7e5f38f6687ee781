// Models are loaded by their first use, once, and released when they have been idle.
import test from 'ava';
import { onDemand } from '../../../models/inference/on-demand.ts';
import { fakeClock } from '../../support/fake-clock.ts';

const idleMs = 1_000;

/** A model whose loads and releases are counted; `fail` makes the next load fail. */
function countedModel() {
  const counts = { loads: 0, releases: 0, fail: false };
  const load = async () => {
    counts.loads += 1;
    if (counts.fail) throw new Error('cannot read the weights');
    const release = async () => void (counts.releases += 1);
    return { value: { loadedAs: counts.loads }, release };
  };
  return { counts, model: onDemand(load, idleMs) };
}

test.serial('nothing is loaded before the first use, and uses at once share a load', async (t) => {
  fakeClock(t);
  const { counts, model } = countedModel();
  t.is(counts.loads, 0);
  const used = await Promise.all([1, 2, 3].map(() => model.use(async ({ loadedAs }) => loadedAs)));
  t.deepEqual(used, [1, 1, 1]);
});

test.serial(
  'a use before the idle time is over keeps the model; after it, it is gone',
  async (t) => {
    const advance = fakeClock(t);
    const { counts, model } = countedModel();
    const use = () => model.use(async ({ loadedAs }) => loadedAs);
    await use();
    advance(idleMs - 1);
    t.is(await use(), 1);
    advance(idleMs - 1);
    t.is(counts.releases, 0);
    advance(1);
    await Promise.resolve();
    t.deepEqual(counts, { loads: 1, releases: 1, fail: false });
    t.is(await use(), 2);
  },
);

test.serial('a model is not released while one of its uses still runs', async (t) => {
  const advance = fakeClock(t);
  const { counts, model } = countedModel();
  const long = Promise.withResolvers<void>();
  const running = model.use(() => long.promise);
  await model.use(async () => {});
  advance(10 * idleMs);
  await Promise.resolve();
  t.is(counts.releases, 0);
  long.resolve();
  await running;
  advance(idleMs);
  await Promise.resolve();
  t.is(counts.releases, 1);
});

test.serial('a failed load fails its uses and is repeated by the next', async (t) => {
  const advance = fakeClock(t);
  const { counts, model } = countedModel();
  counts.fail = true;
  await t.throwsAsync(
    model.use(async () => {}),
    { message: 'cannot read the weights' },
  );
  counts.fail = false;
  t.is(await model.use(async ({ loadedAs }) => loadedAs), 2);
  advance(idleMs);
  await Promise.resolve();
  t.is(counts.releases, 1);
});
