// The digits that written words say.
import test from 'ava';
import { bare, tokensOf } from '../../../models/redaction/tokens.ts';

function digitsOf(word: string): string | null {
  const words = [{ word, start: 0, end: 1, speaker: null, language: 'en' }];
  return tokensOf(words, [0])[0]!.digits;
}

/** All texts of up to so many of the characters. */
function textsOf(characters: string, length: number): readonly string[] {
  if (length === 0) return [''];
  const shorter = textsOf(characters, length - 1);
  const longest = shorter.filter((text) => text.length === length - 1);
  return [...shorter, ...longest.flatMap((text) => Array.from(characters, (each) => text + each))];
}

test('digits are written in groups, with marks between and brackets around them', (t) => {
  const groups = /^\+?\(?\d+\)?(?:[-–./]?\(?\d+\)?)*$/;
  const wrong = textsOf('1(+)-a', 6).filter(
    (text) => (digitsOf(text) !== null) !== groups.test(bare(text)),
  );
  t.deepEqual(wrong, []);
  t.is(digitsOf('+49(30)12-34/5'), '493012345');
  t.is(digitsOf('192.168.10.11'), '1921681011');
  t.is(digitsOf('12.50'), null);
  t.is(digitsOf('1.2.34'), null);
  t.is(digitsOf('12.345.678'), '12345678');
});

test('marks at the ends of a word are no part of it, but a plus before it is', (t) => {
  t.deepEqual(['…+1-2.', '-+-', '"Ann\'s"', '...', '.\n5\n', 'a+'].map(bare), [
    '+1-2',
    '',
    "ann's",
    '',
    '5',
    'a',
  ]);
});

test('a word of 100,000 digits or marks and a letter is no number', (t) => {
  for (const part of ['1', '1-', '(1)', '1.1', '-', ',', "'"]) {
    const word = `1${part.repeat(100_000)}a`;
    t.is(digitsOf(word), null, part);
    t.is(bare(word), word);
  }
  t.is(digitsOf('1'.repeat(100_000))?.length, 100_000);
});
