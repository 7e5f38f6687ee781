// Spans of a recording, and the stage table.
import test from 'ava';
import fc from 'fast-check';
import { isSmallUpload, planSpans, stageTable } from '../../workflows/plan.ts';

test('spans hold every chunk once, in order, and divide the audio', (t) => {
  const chunks = fc.array(fc.double({ min: 0.1, max: 30, noNaN: true }), { maxLength: 400 });
  fc.assert(
    fc.property(chunks, (seconds) => {
      const spans = planSpans(seconds);
      let next = 0;
      spans.forEach((span, index) => {
        t.is(span.index, index);
        t.is(span.firstChunk, next);
        t.true(span.endChunk > span.firstChunk);
        t.true(span.audioSeconds < 260, `${span.audioSeconds}`);
        next = span.endChunk;
      });
      t.is(next, seconds.length);
    }),
  );
});

test('a long recording is divided into many spans, and a small upload into none', (t) => {
  const spans = planSpans(Array<number>(60).fill(10));
  t.deepEqual(
    spans.map(({ audioSeconds }) => audioSeconds),
    [150, 150, 150, 150],
  );
  t.deepEqual([1_500_000, 1_500_001].map(isSmallUpload), [true, false]);
});

test('the stage table marks what is done and what is running', (t) => {
  const table = stageTable({
    stage: 'analyzing',
    diarize: false,
    audioSeconds: 61.26,
    chunksDone: 2,
    chunksTotal: 6,
  });
  t.regex(table, /analyzing\*\* 61\.3 s audio, 2\/6 chunks/);
  t.regex(table, /\| Open.*\| done \|/);
  t.regex(table, /\| Analyse.* \| running \|/);
});
