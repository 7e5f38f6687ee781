// Which part of a growing recording is recognised next.
import test from 'ava';
import { nextWindow, noProgress } from '../../../../models/analysis/live/next-window.ts';

const second = 16_000;

/** Seconds from and to. */
const span = (from: number, to: number) => ({ startSample: from * second, endSample: to * second });

function recording(seconds: number, chunks: readonly (readonly [number, number])[]) {
  const last = chunks.at(-1)?.[1] ?? 0;
  return {
    samples: seconds * second,
    chunks: chunks.map(([from, to]) => span(from, to)),
    // Chunks keep half a second of silence behind their speech.
    speechEndSample: Math.max(0, last < seconds ? last - 0.5 : seconds) * second,
    isAnalyzed: () => false,
  };
}

test('without speech there is nothing to recognise', (t) => {
  t.is(nextWindow(recording(5, []), noProgress), null);
});

test('an open chunk is recognised up to the newest sample', (t) => {
  const window = nextWindow(recording(3, [[1, 3]]), noProgress);
  t.deepEqual(window, { ...span(1, 3), isComplete: false });
});

test('a pause completes it, once', (t) => {
  const paused = recording(6, [[1, 4]]);
  const window = nextWindow(paused, { completeSample: 0, recognisedSample: 3.5 * second });
  t.deepEqual(window, { ...span(1, 4), isComplete: true });
  const progress = { completeSample: 4 * second, recognisedSample: 4 * second };
  t.is(nextWindow(paused, progress), null);
  const more = recording(8, [[1, 8]]);
  t.deepEqual(nextWindow(more, progress), { ...span(1, 8), isComplete: false });
});

test('silence behind an open chunk is not recognised again and again', (t) => {
  const open = { ...recording(4, [[1, 4]]), speechEndSample: 3.6 * second };
  t.is(nextWindow(open, { completeSample: 0, recognisedSample: 3.8 * second }), null);
  t.truthy(nextWindow(open, { completeSample: 0, recognisedSample: 3.6 * second }));
});

test('a chunk that is analysed for the result is completed from that, before the next one', (t) => {
  const closed = {
    ...recording(14, [
      [0, 9],
      [9, 14],
    ]),
    isAnalyzed: ({ endSample }: { endSample: number }) => endSample === 9 * second,
  };
  const progress = { completeSample: 0, recognisedSample: 9.2 * second };
  t.deepEqual(nextWindow(closed, progress), { ...span(0, 9), isComplete: true });
  const then = { completeSample: 9 * second, recognisedSample: 9 * second };
  t.deepEqual(nextWindow(closed, then), { ...span(9, 14), isComplete: false });
});

test('a chunk that is closed but not analysed yet is recognised with the next one', (t) => {
  const window = nextWindow(
    recording(14, [
      [0, 9],
      [9, 14],
    ]),
    noProgress,
  );
  t.deepEqual(window, { ...span(0, 14), isComplete: false });
});

test('a window that is too long for a job is left out', (t) => {
  const chunks = [0, 9, 18, 27].map((from) => [from, from + 9] as const);
  t.is(nextWindow(recording(36, chunks), noProgress), null);
});
