// Interim text: what is stable stays, what is recognised twice becomes stable, pauses settle words.
import test from 'ava';
import fc from 'fast-check';
import type { Word } from '../../../../models/asr/transcript.ts';
import {
  continuationIn,
  emptyTranscript,
  withHypothesis,
  type Hypothesis,
  type LiveTranscript,
} from '../../../../models/analysis/live/live-transcript.ts';

/** Words of 0.4 s, one every half second from `start` on. */
function spoken(text: string, start = 0): readonly Word[] {
  return text
    .split(' ')
    .filter((word) => word !== '')
    .map((word, i) => ({
      ...{ word, confidence: 1 },
      start: start + i / 2,
      end: start + i / 2 + 0.4,
    }));
}

function texts(words: readonly Word[]): string {
  return words.map(({ word }) => word).join(' ');
}

/** @param end of what has arrived; a hypothesis a second later may make its words stable */
function growing(text: string, { start = 0, end = 100 } = {}): Hypothesis {
  return { words: spoken(text, start), start, end, isComplete: false };
}

function after(...hypotheses: readonly Hypothesis[]): LiveTranscript {
  return hypotheses.reduce(withHypothesis, emptyTranscript);
}

/** The same hypothesis twice, a second apart. */
function agreed(text: string): LiveTranscript {
  return after(growing(text, { end: 50 }), growing(text, { end: 51 }));
}

test('words on which the hypotheses of a second agree are stable, the rest is the tail', (t) => {
  const { stable, tail } = after(
    growing('please call him', { end: 2 }),
    growing('Please, call me back to', { end: 2.5 }),
    growing('Please, call me back tomorrow', { end: 3 }),
    growing('Please, call me back tomorrow', { end: 3.5 }),
  );
  t.is(texts(stable), 'Please, call me back');
  t.is(texts(tail), 'tomorrow');
});

test('hypotheses that follow each other fast make nothing stable before a second', (t) => {
  const fast = [2, 2.3, 2.6, 2.9].map((end) => growing('for scores', { end }));
  const once = after(...fast);
  t.deepEqual([texts(once.stable), texts(once.tail)], ['', 'for scores']);
  const { stable, tail } = withHypothesis(once, growing('four score and', { end: 3.2 }));
  t.deepEqual([texts(stable), texts(tail)], ['', 'four score and']);
});

test('a word that was revised is agreed on anew, and so is what follows it', (t) => {
  const { stable, tail } = after(
    growing('I see the bill', { end: 2 }),
    growing('I saw the bill', { end: 2.5 }),
    growing('I saw the bill', { end: 3.2 }),
  );
  t.deepEqual([texts(stable), texts(tail)], ['I', 'saw the bill']);
});

test('a pause settles every word', (t) => {
  const { stable, tail } = after(growing('good'), { ...growing('Good day.'), isComplete: true });
  t.deepEqual([texts(stable), texts(tail)], ['Good day.', '']);
});

test('a hypothesis that spells a stable word in another way continues behind it', (t) => {
  const before = agreed('the gray cat');
  const { stable, tail } = withHypothesis(before, growing('the grey cat sat'));
  t.deepEqual([texts(stable), texts(tail)], ['the gray cat', 'sat']);
  const fewer = withHypothesis(before, growing('the grey'));
  t.deepEqual([texts(fewer.stable), texts(fewer.tail)], ['the gray cat', '']);
});

test('a repeated word is not taken for the one before it', (t) => {
  const before = agreed('no no');
  const { tail } = withHypothesis(before, growing('no no no'));
  const [third] = spoken('no no no').slice(2);
  t.deepEqual(tail, [{ ...third!, agreedSince: 100 }]);
});

test('a part that begins later continues behind the words before it', (t) => {
  const first = after({ ...growing('one two', { end: 2 }), isComplete: true });
  const { stable, tail } = [
    growing('three four', { start: 5, end: 6 }),
    growing('three four', { start: 5, end: 7 }),
  ].reduce(withHypothesis, first);
  t.deepEqual([texts(stable), texts(tail)], ['one two three four', '']);
});

test('settling a part keeps what was recognised behind it', (t) => {
  // One window of two chunks, the first of which is then complete.
  const both = after(growing('one two three four', { end: 2 }));
  const { stable, tail } = withHypothesis(both, {
    ...{ words: spoken('one too'), start: 0, end: 0.95, isComplete: true },
  });
  t.deepEqual([texts(stable), texts(tail)], ['one too', 'three four']);
});

test('a tail that overlaps the last stable word begins where that one ends', (t) => {
  const before = after({ ...growing('one two', { end: 2 }), isComplete: true });
  const words = [{ ...spoken('three')[0]!, start: 0.7, end: 0.8 }, ...spoken('four', 0.75)];
  const { tail } = withHypothesis(before, { words, start: 0.95, end: 2.5, isComplete: false });
  t.deepEqual(
    tail.map(({ word, start, end }) => [word, start, end]),
    [
      ['three', 0.9, 0.9],
      ['four', 0.9, 1.15],
    ],
  );
});

test('whatever is recognised, stable words never change and times never go back', (t) => {
  const vocabulary = fc.constantFrom('a', 'b', 'c', 'A,', 'd.');
  const hypothesis = fc.record({
    words: fc.array(fc.tuple(vocabulary, fc.double({ min: 0, max: 9, noNaN: true })), {
      maxLength: 8,
    }),
    start: fc.integer({ min: 0, max: 6 }),
    isComplete: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(hypothesis, { maxLength: 12 }), (all) => {
      let transcript = emptyTranscript;
      for (const [i, { words, start, isComplete }] of all.entries()) {
        const timed = words
          .toSorted(([, one], [, other]) => one - other)
          .map(([word, at]) => ({ word, start: at, end: at + 0.3, confidence: null }));
        const next = withHypothesis(transcript, { words: timed, start, end: 10 + i, isComplete });
        t.deepEqual(next.stable.slice(0, transcript.stable.length), [...transcript.stable]);
        transcript = next;
      }
      const shown = [...transcript.stable, ...transcript.tail];
      for (const [i, word] of shown.entries()) {
        t.true(word.start >= (shown[i - 1]?.end ?? 0) && word.end >= word.start);
      }
    }),
    { numRuns: 500 },
  );
});

test('the same hypothesis until a pause ends in exactly its words', (t) => {
  const sentences = fc.array(fc.constantFrom('no', 'yes', 'may', 'be'), { maxLength: 12 });
  fc.assert(
    fc.property(sentences, (words) => {
      const all = spoken(words.join(' '));
      const end = all.length / 2 + 0.5;
      const heard = Array.from({ length: Math.ceil(end) * 4 }, (_, i) => (i + 1) / 4);
      const growth = heard.map((until) => ({
        ...{ words: all.filter((word) => word.end <= until), start: 0, end: until },
        isComplete: false,
      }));
      const { stable, tail } = [...growth, { words: all, start: 0, end, isComplete: true }].reduce(
        withHypothesis,
        emptyTranscript,
      );
      t.deepEqual([texts(stable), texts(tail)], [texts(all), '']);
    }),
    { numRuns: 200 },
  );
});

test('a final text goes on from the stable words, whatever their case and punctuation', (t) => {
  const stable = spoken('please call me - back');
  const next = (text: string, words = stable) => continuationIn(text, words);
  t.deepEqual(next('Please, call me back tomorrow.'), { keptWords: 5, rest: ['tomorrow.'] });
  t.deepEqual(next('Please, call me back.'), { keptWords: 5, rest: [] });
  t.deepEqual(next('Please, call us back.'), { keptWords: 2, rest: ['us', 'back.'] });
  t.deepEqual(next(''), { keptWords: 0, rest: [] });
  t.deepEqual(next('Hello', []), { keptWords: 0, rest: ['Hello'] });
});
