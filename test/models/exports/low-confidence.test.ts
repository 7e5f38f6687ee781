// Words of low confidence: found in the text, marked, and named once when they are most.
import test from 'ava';
import fc from 'fast-check';
import { resultLines } from '../../../bin/client/result-view.ts';
import { countUnsure, textPieces, unsureNote } from '../../../models/exports/low-confidence.ts';
import { toHtml } from '../../../models/exports/report.ts';
import type { ExportedSegment } from '../../../models/exports/exported-result.ts';

function segment(text: string, confidences: readonly (number | null)[]): ExportedSegment {
  const words = text.split(' ').map((word, i) => {
    return { word, start: i, end: i + 0.9, confidence: confidences[i] ?? null };
  });
  return {
    ...{ start: 0, end: words.length, text, words, speaker: 'speaker_0' },
    emotions: [
      { label: 'happy', score: 0.864 },
      { label: 'excited', score: 0.5 },
    ],
    styles: [{ label: 'warm', score: 0.71 }],
  };
}

test('marks are where the words are, also beside equal words and marks of punctuation', (t) => {
  const sure = segment('the cat, the hat.', [0.9, 0.2, 0.49, 0.5]);
  t.deepEqual(
    textPieces(sure).map(({ text, unsure }) => (unsure === null ? text : `<${text}>`)),
    ['the ', '<cat,>', ' ', '<the>', ' hat.'],
  );
  t.deepEqual(countUnsure({ segments: [sure] }), { words: 4, unsure: 2 });
  t.is(unsureNote({ segments: [sure] }), null);
});

test('the terminal and the report show scores, mark words and say when most are unsure', (t) => {
  const result = {
    object: 'speech.result',
    duration: 3,
    segments: [segment('alpha <b> gamma', [0.1, 0.2, 0.9])],
  };
  const note = 'Most words of this recording are uncertain: 2 of 3 have a confidence below 0.5.';
  t.deepEqual(resultLines(result, 0.3).slice(0, 2), [
    note,
    '0:00.0  speaker_0  alpha(?) <b>(?) gamma  ' +
      '[emotions: happy 0.86, excited 0.50; styles: warm 0.71]',
  ]);
  const html = toHtml(result, { title: 'call', peaks: [] });
  t.is(html.split(note).length, 2, 'once');
  t.true(html.includes('<span class="unsure" title="confidence 0.10">alpha</span> <span'));
  t.true(html.includes('emotions: happy 0.86, excited 0.50') && html.includes('styles: warm 0.71'));
});

test('the terminal marks unsure labels, and says that nobody speaks', (t) => {
  const unsure = { ...segment('alpha', [0.9]), emotions: [{ label: 'sad', score: 0.3 }] };
  const lines = (segments: readonly ExportedSegment[]) =>
    resultLines({ object: 'speech.result', duration: 1, segments }, 0.1);
  t.regex(lines([unsure])[0]!, /emotions: sad 0.30\(\?\); styles: warm 0.71\]/);
  const nobody = { ...{ start: 0, end: 1, text: '', words: [], speaker: null }, styles: [] };
  t.is(lines([{ ...nobody, emotions: [] }])[0], 'No speech was found in this recording.');
});

test('property: pieces make up the text, whatever the words are', (t) => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', ' ', '.') });
  const words = fc.array(
    fc.record({
      word: fc.string({ unit: fc.constantFrom('a', 'b', '.'), maxLength: 3 }),
      start: fc.constant(0),
      end: fc.constant(1),
      confidence: fc.option(fc.double({ min: 0, max: 1, noNaN: true })),
    }),
  );
  fc.assert(
    fc.property(text, words, (whole, spoken) => {
      const pieces = textPieces({ ...segment(whole, []), words: spoken });
      t.is(pieces.map((piece) => piece.text).join(''), whole);
    }),
  );
});
