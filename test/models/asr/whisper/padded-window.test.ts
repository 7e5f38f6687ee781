// The windows of Whisper's encoder: every position of the clip, and few of those behind it.
import test from 'ava';
import fc from 'fast-check';
import { paddedWindow } from '../../../../models/asr/whisper/padded-window.ts';

const sum = (counts: readonly number[]): number => counts.reduce((a, b) => a + b, 0);

test('a clip of 2 s has each position up to a second after it, then one of 24', (t) => {
  const { frames, positions, counts } = paddedWindow(32_000);
  t.is(frames, 300);
  t.deepEqual(positions.slice(0, 150), [...Array(150).keys()]);
  t.deepEqual(positions.slice(150, 153), [173, 197, 221]);
  t.deepEqual(counts.slice(149, 152), [1, 24, 24]);
  t.is(counts.at(-1), 6);
  t.deepEqual(paddedWindow(32_000, 'detection').counts.slice(149, 151), [1, 48]);
  t.deepEqual(paddedWindow(96_000).counts.slice(349, 351), [1, 24]);
});

test('short clips of the multilingual model have more states, and more again in doubt', (t) => {
  t.deepEqual(paddedWindow(32_000, 'dense').counts.slice(149, 351), [1, ...Array(201).fill(6)]);
  t.deepEqual(paddedWindow(95_840, 'dense').counts.slice(349, 351), [1, 6]);
  t.deepEqual(paddedWindow(96_000, 'dense').counts.slice(349, 351), [1, 12]);
  t.deepEqual(paddedWindow(96_000, 'again').counts.slice(349, 351), [1, 4]);
  t.deepEqual(paddedWindow(32_000, 'again').counts.slice(149, 151), [1, 4]);
});

test('the states of any clip stand for every position of 30 s once', (t) => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 480_000 }),
      fc.constantFrom('sparse', 'dense', 'again', 'detection'),
      (samples, kind) => {
        const { frames, positions, counts } = paddedWindow(samples, kind);
        const ends = counts.map((_, i) => sum(counts.slice(0, i + 1)) - 1);
        t.deepEqual(positions, ends);
        t.is(positions.at(-1), 1_499);
        t.true(frames % 2 === 0 && frames <= 3_000 && frames >= Math.min(3_000, samples / 160));
        t.true(counts.slice(0, frames / 2).every((count) => count === 1));
      },
    ),
    { numRuns: 50 },
  );
});
