// Places where a term may have been spoken.
import test from 'ava';
import { findCandidates } from '../../../../models/asr/terms/candidates.ts';
import { soundDistance, soundsOf } from '../../../../models/asr/terms/sound-distance.ts';

function places(text: string, terms: readonly string[]) {
  const words = text.split(' ');
  return findCandidates(words, terms).map(({ first, end, written }) => {
    return `${words.slice(first, end).join(' ')} > ${written}`;
  });
}

test('words that sound alike are close, whatever their letters', (t) => {
  const distance = (a: string, b: string): number => soundDistance(soundsOf(a), soundsOf(b));
  t.is(distance('Philip', 'filip'), 0);
  t.is(distance('Katherine', 'Catherine'), 0);
  t.is(distance('Sean', 'sean!'), 0);
  t.true(distance('Schneider', 'Snyder') < 0.3);
  t.true(distance('Dora', 'Torah') < 0.3);
  t.true(distance('Peter', 'window') > 0.7);
  t.is(distance('Mia', 'Mta'), 1 / 3);
  t.is(distance('Mta', 'Mia'), 1 / 3);
  t.is(distance('Mia', 'Mea'), 0.4 / 3);
  t.is(distance('Ana', 'An'), 0.5 / 3);
  t.is(distance('Łukasz', 'łukasz'), 0);
  t.is(distance('Ёлка', 'елка'), 0);
});

test('one word more or less than the term may have been recognised', (t) => {
  t.true(places('I called Ann Lee yesterday', ['Anneli']).includes('Ann Lee > Anneli'));
  t.true(places('ask the helpdesk now', ['help desk']).includes('helpdesk > help desk'));
  t.false(places('An ne li', ['Anneli']).includes('An ne li > Anneli'));
  t.deepEqual(places('ask the help desk now', ['help desk']), []);
});

test('a term of many words is looked for without a shorter one beside it', (t) => {
  t.deepEqual(places('call Ann Marie Lea now', ['Ann Mary Lee']).slice(0, 1), [
    'Ann Marie Lea > Ann Mary Lee',
  ]);
});

test('marks around the words and a possessive stay', (t) => {
  t.deepEqual(places('"Look at Torah\'s house," she said', ['Dora']).slice(0, 1), [
    "Torah's > Dora's",
  ]);
  t.true(places('Hello, Torah!', ['Dora']).includes('Torah! > Dora!'));
});

test('a word that is a term already is not replaced, alone or with its neighbours', (t) => {
  const found = places('the Alice Mary and Mari', ['Alice', 'Mary']);
  t.deepEqual(found.toSorted(), ['Mari > Mary', 'and Mari > Mary']);
  t.deepEqual(places('New York', ['New York', 'Yorck']), []);
  t.deepEqual(places('ask Ann Lea', ['Ann Lee']).slice(0, 1), ['Ann Lea > Ann Lee']);
});

test('text without a word that sounds alike has no place', (t) => {
  t.deepEqual(places('The committee will decide before summer', ['Xanthippe', 'Kubernetes']), []);
  t.deepEqual(places('', ['Ann']), []);
});

test('a chunk has few places, those that sound most alike', (t) => {
  const found = findCandidates(
    Array.from({ length: 40 }, () => 'Torah'),
    ['Dora', 'Tora'],
  );
  t.is(found.length, 10);
  t.is(
    findCandidates(
      Array.from({ length: 10 }, () => 'Torah'),
      ['Dora', 'Tora'],
    ).length,
    8,
  );
  t.true(found.every(({ written }) => written === 'Tora'));
});
