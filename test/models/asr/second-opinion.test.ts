// When words are recognised again, and whether the second reading counts.
import test from 'ava';
import { isSecondTrusted, isUnsure } from '../../../models/asr/second-opinion.ts';

const words = (text: string, confidence: number | null = 0.9) =>
  text.split(' ').map((word) => ({ word, start: 0, end: 0, confidence }));

test('one unsure word of a short chunk is enough for a second opinion, and so is none', (t) => {
  t.true(isUnsure([...words('how are you', 1), ...words('today', 0.59)], 2));
  t.false(isUnsure([...words('how are you', 1), ...words('today', 0.61)], 2));
  t.false(isUnsure(words('how are you', null), 2));
  t.true(isUnsure([], 2));
});

test('a longer chunk may have more doubt; one word far off counts more than several', (t) => {
  const sentence = words('and then we went to the second floor of the building', 0.9);
  const unsure = [...sentence, ...words('today', 0.4)];
  t.true(isUnsure(unsure, 5));
  t.false(isUnsure(unsure, 12));
  t.true(isUnsure([...unsure, ...words('Robert Miller', 0.3)], 12));
  t.false(isUnsure([...sentence, ...words('so it was good', 0.75)], 6));
});

test('where nothing was heard, a second reading has to be sure of each word', (t) => {
  t.true(isSecondTrusted([], words('papa', 0.5)));
  t.false(isSecondTrusted([], [...words('thank', 0.8), ...words('you', 0.4)]));
  const sentence = words('it is impossible to open this', 0.8);
  t.true(isSecondTrusted([], [...sentence, ...words('now', 0.05)]), 'one unsure word of seven');
  t.false(isSecondTrusted([], words('it is impossible to open this', 0.45)));
});

test('few words are given up where the second model hears no speech, a sentence is not', (t) => {
  t.true(isSecondTrusted(words('thank you'), []));
  t.false(isSecondTrusted(words('thank you very much'), []));
});

test('a second reading that gives up on most of the words has to be sure of the rest', (t) => {
  const first = words('Thank you for calling, how can I help you today?', 0.4);
  t.false(isSecondTrusted(first, [...words('Thank', 0.65), ...words('Thank Thank', 0.1)]));
  t.true(isSecondTrusted(first, words('Thank you for calling.', 0.6)));
  t.true(isSecondTrusted(first, words('Thank you for calling, how can', 0.4)));
});

test('a reading that writes a sentence twice is kept only if both readings do', (t) => {
  const twice = 'No, the second delivery is free. No, the second delivery is free.';
  t.false(isSecondTrusted(words('No the second delivery is free.'), words(twice)));
  t.false(isSecondTrusted(words('and then no the second'), words(`${twice} Thank you.`)));
  t.true(isSecondTrusted(words(twice), words(twice)));
  t.true(isSecondTrusted(words('no no thanks'), words('No, no, thank you, thank you.')));
  t.true(isSecondTrusted(words('call me'), words('Call me back, please call me back.')));
});
