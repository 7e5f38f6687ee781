// How often a live recording is recognised: with new audio only, and within its share of a core.
import test from 'ava';
import fc from 'fast-check';
import { initialPace, waitMs } from '../../../../models/analysis/live/pace.ts';

test('the first attempt waits for a quarter of a second of audio', (t) => {
  t.is(waitMs(initialPace, 3_839, 0), null);
  t.is(waitMs(initialPace, 3_840, 0), 0);
});

test('an attempt that took long is followed by a longer pause', (t) => {
  const pace = { endedAtMs: 1_000, tookMs: 200, samples: 16_000 };
  t.is(waitMs(pace, 19_839, 5_000), null);
  t.is(waitMs(pace, 19_840, 1_000), 300);
  t.is(waitMs(pace, 19_840, 1_100), 200);
  t.is(waitMs(pace, 19_840, 2_000), 0);
});

test('whatever the attempts cost, they take two fifths of the time at most', (t) => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 3_000 }), { minLength: 1 }), (costs) => {
      let [nowMs, spentMs, pace] = [0, 0, initialPace];
      for (const tookMs of costs) {
        // Audio without end, at the rate of a recording that is sent at once.
        const samples = pace.samples + 3_840;
        nowMs += waitMs(pace, samples, nowMs)!;
        nowMs += tookMs;
        spentMs += tookMs;
        pace = { endedAtMs: nowMs, tookMs, samples };
      }
      const restMs = pace.tookMs * 1.5;
      t.true(spentMs <= 0.4 * (nowMs + restMs) + 1e-6);
    }),
    { numRuns: 200 },
  );
});
