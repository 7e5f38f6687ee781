// The first word of a sentence, and what only looks like one.
import test from 'ava';
import { startSentences } from '../../../models/asr/sentence-case.ts';

function written(text: string): string {
  const parts = text.split(' ');
  const words = parts.map((word, i) => ({ word, start: i, end: i + 1, confidence: null }));
  return startSentences(words)
    .map(({ word }) => word)
    .join(' ');
}

for (const [text, expected] of [
  ['configuration files. that should help you', 'configuration files. That should help you'],
  ['Are you there? yes, I am! "good."', 'Are you there? Yes, I am! "Good."'],
  ['Sie sind da. über uns', 'Sie sind da. Über uns'],
  ['at nine a.m. on Monday', 'at nine a.m. on Monday'],
  ['Dr. von Braun vs. the U.S. of old', 'Dr. von Braun vs. the U.S. of old'],
  ['well... that is so', 'well... that is so'],
  ['I have one. iPhone users do', 'I have one. iPhone users do'],
  ['It costs 4. 5 of them', 'It costs 4. 5 of them'],
  ['small letters begin', 'small letters begin'],
] as const) {
  test(text, (t) => t.is(written(text), expected));
}
