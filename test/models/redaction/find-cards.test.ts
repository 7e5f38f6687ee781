// Cards in runs of digits: as a search of every part of a run, the longest first, finds them.
import test from 'ava';
import fc from 'fast-check';
import { isCardNumber } from '../../../models/redaction/checks.ts';
import { findCards } from '../../../models/redaction/find-cards.ts';

const tokensOf = (groups: readonly string[]) =>
  groups.map((digits, i) => ({ text: digits, digits, isInternational: false, first: i, last: i }));

interface Found {
  /** Digits with what is removed beside them. */
  readonly cards: readonly string[];
  readonly rest: readonly string[];
}

function searched(groups: readonly string[]): Found {
  for (let count = groups.length; count > 0; count -= 1) {
    for (let i = 0; i + count <= groups.length; i += 1) {
      if (!isCardNumber(groups.slice(i, i + count).join(''))) continue;
      const [before, after] = [groups.slice(0, i), groups.slice(i + count)];
      const from = before.join('').length <= 4 ? 0 : i;
      const to = after.join('').length <= 4 ? groups.length : i + count;
      const [left, right] = [searched(groups.slice(0, from)), searched(groups.slice(to))];
      const own = groups.slice(from, to).join(' ');
      return {
        cards: [...left.cards, own, ...right.cards],
        rest: [...left.rest, ...right.rest],
      };
    }
  }
  return { cards: [], rest: groups.length === 0 ? [] : [groups.join(' ')] };
}

function found(groups: readonly string[]): Found {
  const { found: cards, rest } = findCards(tokensOf(groups));
  const write = (tokens: (typeof rest)[number]): string =>
    tokens.map(({ digits }) => digits).join(' ');
  const inOrder = cards.toSorted((a, b) => a.tokens[0]!.first - b.tokens[0]!.first);
  return { cards: inOrder.map(({ tokens }) => write(tokens)), rest: rest.map(write) };
}

test('the longest numbers that pass are cards, with few digits beside them', (t) => {
  const said = fc.constantFrom(
    ...['4', '1', '4111', '1111', '37', '411111111111111'],
    ...['4111 1111 1111 1111', '5555 5555 5555 4444', '41 11 1111 1111 111 1'],
  );
  let cards = 0;
  fc.assert(
    fc.property(fc.array(said, { maxLength: 12 }), (all) => {
      const groups = all.flatMap((each) => each.split(' '));
      const expected = searched(groups);
      cards += expected.cards.length;
      t.deepEqual(found(groups), expected);
    }),
    { numRuns: 500 },
  );
  t.true(cards > 100);
});

test('10,000 digits and a number of 100,000 are searched', (t) => {
  const ones = Array.from({ length: 10_000 }, () => '1');
  t.deepEqual(found(ones), { cards: [], rest: [ones.join(' ')] });
  const cards = Array.from({ length: 10_000 }, (_, i) => (i % 16 === 0 ? '4' : '1'));
  t.is(found(cards).cards.length, 625);
  const long = '4'.repeat(100_000);
  t.deepEqual(found([long, long]), { cards: [], rest: [`${long} ${long}`] });
});
