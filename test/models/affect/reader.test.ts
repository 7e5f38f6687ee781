// What of a chunk the functionals of a span are computed from.
import test from 'ava';
import { withEdges } from '../../../models/affect/reader.ts';

const rounded = (span: { start: number; end: number }) =>
  [span.start, span.end].map((seconds) => Number(seconds.toFixed(3)));

test('a span is heard with what is around it, within the chunk', (t) => {
  const span = { start: 1, end: 2 };
  t.deepEqual(rounded(withEdges(span, [span])), [0.84, 2.16]);
  t.deepEqual(rounded(withEdges({ start: 0.1, end: 2 }, [])), [0, 2.16]);
});

test('but not with another span, nor beyond half of the pause between them', (t) => {
  const spans = [
    { start: 0, end: 1 },
    { start: 1, end: 2 },
    { start: 2.2, end: 3 },
    { start: 2.9, end: 4 },
  ];
  t.deepEqual(
    spans.map((span) => rounded(withEdges(span, spans))),
    [
      [0, 1],
      [1, 2.1],
      [2.1, 3],
      [2.9, 4.16],
    ],
  );
});
