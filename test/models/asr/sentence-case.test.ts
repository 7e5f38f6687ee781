// The first word of a sentence where two readings meet, and what only looks like one.
import test from 'ava';
import { joinReadings } from '../../../models/asr/sentence-case.ts';

/** @param text of readings, with a bar where two meet */
function written(text: string): string {
  const readings = text
    .split(' | ')
    .map((reading) =>
      reading.split(' ').map((word, i) => ({ word, start: i, end: i + 1, confidence: null })),
    );
  return joinReadings(readings)
    .map(({ word }) => word)
    .join(' ');
}

for (const [text, expected] of [
  ['configuration files. | that should help you', 'configuration files. That should help you'],
  ['Are you there? | yes, I am! | "good."', 'Are you there? Yes, I am! "Good."'],
  ['Sie sind da. | über uns', 'Sie sind da. Über uns'],
  ['at nine a.m. | on Monday', 'at nine a.m. on Monday'],
  ['to Dr. | von Braun vs. | the U.S. | of old', 'to Dr. von Braun vs. the U.S. of old'],
  ['well... | that is so', 'well... that is so'],
  ['I have one. | iPhone users do', 'I have one. iPhone users do'],
  ['It costs 4. | 5 of them', 'It costs 4. 5 of them'],
  ['small letters | begin', 'small letters begin'],
  ["Dat is klaar. | 't Is laat", "Dat is klaar. 't Is laat"],
  ["He left. | 'cause he had to", "He left. 'Cause he had to"],
] as const) {
  test(text, (t) => t.is(written(text), expected));
}

for (const text of [
  'Am 19. und am 20. um drei',
  'Praha, 5. května',
  'ca. eine Stunde bzw. zwei',
  'Bonjour M. le directeur, la Sra. de la Vega',
  '5 lbs. of salt',
  'He asked "Why?" and left',
]) {
  test(`one reading stays: ${text}`, (t) => t.is(written(text), text));
}
