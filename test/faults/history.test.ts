// The pace of the machine that a fault runs on: by what it multiplies the limits of time.
import test from 'ava';
import { createHistory, type Operation } from './history.ts';

const call = (took: number, outcome: Operation['outcome'] = 'ok'): Operation => ({
  ...{ id: 'a', sha256: '', t0: 100, t1: 100 + took, outcome },
  ...{ answer: '200', result: null, flaw: null },
});

test('limits grow with the time of calls that nothing disturbed, and with nothing else', (t) => {
  const history = createHistory();
  t.is(history.slowness(), 1);
  for (const took of [4_000, 5_000, 90_000]) history.add(call(took));
  for (const took of [1, 2, 3]) history.add(call(took, 'fail'));
  t.is(history.slowness(), 1);
  history.endBaseline();
  t.is(history.slowness(), 10);
  history.add(call(500_000));
  t.is(history.slowness(), 10);
  const fast = createHistory();
  fast.add(call(20));
  fast.endBaseline();
  t.is(fast.slowness(), 1);
});

test('the oldest call without an answer', (t) => {
  const history = createHistory();
  t.is(history.oldestOpen(), null);
  const first = history.begin();
  const second = history.begin();
  t.is(history.oldestOpen(), first);
  history.add({ ...call(1), t0: first });
  t.is(history.oldestOpen(), second);
  history.add({ ...call(1), t0: second });
  t.is(history.oldestOpen(), null);
});
