// Seconds that a recording costs.
import test from 'ava';
import { billableSeconds } from '../../../models/contract/billing.ts';

test('seconds are rounded up, with a minimum of one', (t) => {
  const cases = [
    [1, 16_000, 1],
    [16_000, 16_000, 1],
    [16_001, 16_000, 2],
    [441_000, 44_100, 10],
    [160_000_000, 16_000, 10_000],
  ] as const;
  for (const [sourceSamples, sourceRate, seconds] of cases) {
    t.is(billableSeconds(12_000, { sourceSamples, sourceRate }), seconds);
  }
});

test('of separate channels that contain speech, two cost the length once', (t) => {
  const audio = { sourceSamples: 80_001, sourceRate: 8_000 };
  t.is(billableSeconds(12_000, audio), 11);
  const billed = [0, 1, 2, 3, 4, 8].map((speechChannels) =>
    billableSeconds(12_000, { ...audio, speechChannels }),
  );
  t.deepEqual(billed, [11, 11, 11, 22, 33, 77]);
  t.is(billableSeconds(0, { ...audio, speechChannels: 4 }), 0);
});
