// Covered speech: whole spans, nothing else, whatever the blocks.
import test from 'ava';
import { coverBlock } from '../../../models/audio/cover.ts';

const rate = 16_000;
const spans = [{ start: 0.5, end: 1 }];
const speechLike = () => new Int16Array(2 * rate).fill(1_234);

test('a tone or silence covers a span with its margins, the rest is untouched', (t) => {
  for (const cover of ['beep', 'silence'] as const) {
    const samples = speechLike();
    coverBlock(samples, 0, { spans, cover, rate });
    const changed = samples.reduce((sum, value) => sum + Number(value !== 1_234), 0);
    t.true(changed > 0.65 * rate && changed < 0.67 * rate, String(changed));
    t.deepEqual([samples[0.41 * rate], samples[1.09 * rate]], [1_234, 1_234]);
    const peak = samples.subarray(0.5 * rate, rate).reduce((a, b) => Math.max(a, b), 0);
    t.is(peak, cover === 'beep' ? 6_000 : 0);
  }
});

test('blocks of any size give the same', (t) => {
  const whole = speechLike();
  coverBlock(whole, 0, { spans, cover: 'beep', rate });
  const parts = speechLike();
  for (let at = 0; at < parts.length; at += 777)
    coverBlock(parts.subarray(at, at + 777), at, { spans, cover: 'beep', rate });
  t.deepEqual(parts, whole);
});
