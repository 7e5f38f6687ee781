// Two readings of the same speech become one.
import test from 'ava';
import { combineReadings, runsOf } from '../../../models/asr/combine-readings.ts';

/** Words of half a second each; a number behind a word is its confidence. */
function reading(text: string, startSeconds = 0) {
  return text.split(' ').map((part, i) => {
    const [word = '', confidence = '0.9'] = part.split(':');
    const start = startSeconds + i / 2;
    return { word, start, end: start + 0.5, confidence: Number(confidence) };
  });
}

function textOf(words: readonly { readonly word: string }[]): string {
  return words.map(({ word }) => word).join(' ');
}

function combined(first: string, second: string): string {
  return textOf(combineReadings(reading(first), reading(second)));
}

test('where both agree the second one spells; a word of the first has to be clearly surer', (t) => {
  t.is(combined('please call robert back', 'Please call Robert back.'), 'Please call Robert back.');
  t.is(combined('call shivon:0.5 back', 'Call Siobhan:0.4 back.'), 'Call Siobhan back.');
  t.is(combined('call robert:0.9 back', 'Call Rubber:0.4 back.'), 'Call robert back.');
});

test('a word of one reading alone is kept if that one is sure of it', (t) => {
  t.is(combined('call me back', 'Call me right:0.3 back.'), 'Call me right back.');
  t.is(combined('call me back', 'Call me up:0.1 back.'), 'Call me back.');
  t.is(combined('call me right:0.6 back', 'Call me back.'), 'Call me right back.');
  t.is(combined('call me right:0.3 back', 'Call me back.'), 'Call me back.');
});

test('a clause that one reading leaves out is kept', (t) => {
  const first = 'thank you for:0.6 calling:0.7 us:0.6 today:0.7 how:0.7 are you';
  t.is(
    combined(first, 'Thank you. Who:0.7 are you?'),
    'Thank you. For calling us today how are you',
  );
  t.is(
    combined('thank you bob now', 'Thank you for:0.6 calling:0.6 us:0.6 today:0.6 now.'),
    'Thank you for calling us today now.',
  );
  t.is(
    combined('thank you ba:0.2 ba:0.3 ba:0.2 ba:0.2 now', 'Thank you very:0.6 now.'),
    'Thank you very now.',
  );
});

test('a sentence begins with a capital letter where the reading changes, and nowhere else', (t) => {
  t.is(combined('the files that:0.9 help', 'The files. It:0.1 help.'), 'The files. That help.');
  t.is(combined('the files that help', 'The files. Um:0.1 that help.'), 'The files. That help.');
  t.is(combined('add five lbs of salt', 'Add 5 lbs. of salt.'), 'Add 5 lbs. of salt.');
  t.is(combined('add lbs or:0.5 salt', 'Add lbs. of:0.5 salt.'), 'Add lbs. of salt.');
});

test('a word that both have heard is likelier than either says, another less likely', (t) => {
  const [agreed, lone] = combineReadings(reading('call:0.6 me'), reading('Call:0.7 us:0.95'));
  t.true(agreed!.confidence! > 0.7 && agreed!.confidence! < 1);
  t.is(lone!.word, 'us');
  t.true(lone!.confidence! > 0.5 && lone!.confidence! < 0.95);
});

test('words far apart in time are not the same ones', (t) => {
  const [first, second] = [reading('no no thanks'), reading('No thanks.', 0.5)];
  t.deepEqual(
    runsOf(first, second).map((run) => [textOf(run.first), textOf(run.second), run.agree]),
    [
      ['no', '', false],
      ['no thanks', 'No thanks.', true],
    ],
  );
});

test('every word of both readings is in one run, in order', (t) => {
  const [first, second] = [reading('a b c d e f'), reading('b x d d g')];
  const runs = runsOf(first, second);
  t.deepEqual(
    runs.flatMap((run) => run.first),
    first,
  );
  t.deepEqual(
    runs.flatMap((run) => run.second),
    second,
  );
  t.true(runs.every(({ agree }, i) => agree !== runs[i + 1]?.agree));
});
