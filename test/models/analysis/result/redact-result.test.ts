// A view of a stored result without what can be found by form.
import test from 'ava';
import { redactResult } from '../../../../models/analysis/result/redact-result.ts';
import type {
  RecordingResult,
  RecordingSegment,
} from '../../../../models/analysis/result/result.ts';
import { redactionKinds } from '../../../../models/contract/redaction.ts';

const redaction = { kinds: redactionKinds, names: [] };

/** A word every half second. */
function turn(start: number, spoken: string, text = spoken): RecordingSegment {
  const words = spoken.split(' ').map((word, i) => {
    const from = start + i / 2;
    return { word, start: from, end: from + 0.4, confidence: 0.9 };
  });
  const end = words.at(-1)!.end;
  return { start, end, text, words, speaker: 0, emotions: [], styles: [], logits: null };
}

function resultOf(segments: readonly RecordingSegment[]): RecordingResult {
  const text = segments.map((segment) => segment.text).join(' ');
  return {
    ...{ version: 2, sourceSamples: 0, sourceRate: 16_000, billableSeconds: 1, inferenceMs: 0 },
    ...{ text, language: 'en', emotions: [], styles: [], segments, logits: null, speakers: 1 },
  };
}

test('a telephone number is gone from words, text and the whole, and other turns stay', (t) => {
  const number = 'four one five five five five two six seven one';
  const result = resultOf([
    turn(0, 'I paid twenty dollars today.', 'I paid $20 today.'),
    turn(10, `My phone number is ${number}. Thanks.`),
  ]);
  const view = redactResult(result, redaction);
  t.is(view.segments[0], result.segments[0], 'also with its numbers in digits');
  t.is(view.segments[1]!.text, 'My phone number is [PHONE]. Thanks.');
  t.is(view.text, 'I paid $20 today. My phone number is [PHONE]. Thanks.');
  t.deepEqual(
    view.removed?.map(({ kind, start, end }) => ({ kind, start, end })),
    [{ kind: 'phone', start: 12, end: 16.9 }],
  );
  t.is(result.segments[1]!.words.length, 15, 'the stored result is as it was');
});

test('text that has no words is left out, as nothing can be looked for in it', (t) => {
  const unknown = { ...turn(0, 'four one five'), words: [] };
  const view = redactResult(resultOf([unknown]), redaction);
  t.is(view.segments[0]!.text, '');
  t.is(view.text, '');
});

test('a number that somebody says in another language than most is gone', (t) => {
  const four = 'cuatro dos cuatro dos,';
  const greeting = 'Thank you for calling, once more, the amount due is forty dollars.';
  const result = resultOf([
    turn(0, greeting),
    turn(20, `Sí, mi número de tarjeta es ${four} ${four} ${four} ${four} gracias`),
  ]);
  const view = redactResult(result, redaction);
  t.is(view.segments[0]!.text, greeting);
  t.is(view.segments[1]!.text, 'Sí, mi número de tarjeta es [CARD], gracias');
});
