// The peaks of a waveform, on samples whose peaks are known.
import test from 'ava';
import { collectPeaks } from '../../../models/audio/peaks.ts';

test('peaks are of equal parts, for any block size', (t) => {
  const samples = Int16Array.from({ length: 16_000 }, (_, i) => (i < 8_000 ? 3_276 : -16_384));
  for (const size of [1, 77, 4_000, 16_000]) {
    const peaks = collectPeaks(10);
    for (let at = 0; at < samples.length; at += size) peaks.add(samples.subarray(at, at + size));
    const found = peaks.end().map((value) => Math.round(value * 100) / 100);
    t.deepEqual(found, [0.1, 0.1, 0.1, 0.1, 0.1, 0.5, 0.5, 0.5, 0.5, 0.5]);
  }
  t.deepEqual(collectPeaks(10).end(), []);
});
