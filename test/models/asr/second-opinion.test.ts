// When words are recognised again, and which of two readings is kept.
import test from 'ava';
import { isSecondPreferred, isUnsure } from '../../../models/asr/second-opinion.ts';

const words = (text: string, confidence: number | null = 0.9) =>
  text.split(' ').map((word) => ({ word, start: 0, end: 0, confidence }));

test('one unsure word is enough for a second opinion, and so is no word at all', (t) => {
  t.true(isUnsure([...words('how are you'), ...words('today', 0.59)]));
  t.false(isUnsure(words('how are you', 0.6)));
  t.false(isUnsure(words('how are you', null)));
  t.true(isUnsure([]));
});

test('where nothing was heard, a second reading has to be sure of each word', (t) => {
  t.true(isSecondPreferred([], words('papa', 0.5)));
  t.false(isSecondPreferred([], [...words('thank', 0.8), ...words('you', 0.4)]));
});

test('few words are given up where the second model hears no speech, a sentence is not', (t) => {
  t.true(isSecondPreferred(words('thank you'), []));
  t.false(isSecondPreferred(words('thank you very much'), []));
});

test('a reading that writes a sentence twice is kept only if both readings do', (t) => {
  const twice = 'No, the second delivery is free. No, the second delivery is free.';
  t.false(isSecondPreferred(words('No the second delivery is free.'), words(twice)));
  t.false(isSecondPreferred(words('and then no the second'), words(`${twice} Thank you.`)));
  t.true(isSecondPreferred(words(twice), words(twice)));
  t.true(isSecondPreferred(words('no no thanks'), words('No, no, thank you, thank you.')));
  t.true(isSecondPreferred(words('call me'), words('Call me back, please call me back.')));
});
