// Letters that languages are written in.
import test from 'ava';
import { isWrittenIn } from '../../../models/asr/writing.ts';

test('a language has the letters that it is written in', (t) => {
  for (const [language, text] of [
    ['en', 'Fünf cafés, 3 %, ½ naïve – “quoted” … é'],
    ['de', 'Straße 12'],
    ['lt', 'Ačiū, ąžuolas'],
    ['ru', 'Позвоните в Microsoft, пожалуйста.'],
    ['uk', 'Їжак ґанок'],
    ['el', 'Καλημέρα στο Paris'],
  ] as const) {
    t.true(isWrittenIn(language, text), text);
  }
});

test('letters of another script are no text of a language', (t) => {
  for (const [language, text] of [
    ['en', '我们'],
    ['en', 'I am 好 here'],
    ['es', 'Привет'],
    ['en', 'こんにちは'],
    ['ru', 'Καλημέρα'],
    ['el', '안녕'],
  ] as const) {
    t.false(isWrittenIn(language, text), text);
  }
});

test('a language of a script that is not known here is not judged', (t) => {
  t.true(isWrittenIn('zh', '我们'));
  t.true(isWrittenIn('ja', 'こんにちは'));
});
