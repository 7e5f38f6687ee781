// The index of the decision records is complete, and whatever names a record names one that is
// there.
import test from 'ava';
import { readTree, type TreeFile } from './tree.ts';

const own = 'test/tidy/records.test.ts';
const tree = readTree().filter(({ path }) => path !== own);
const index = tree.find(({ path }) => path === 'docs/adr/README.md')?.text ?? '';

interface Row {
  readonly number: number;
  readonly file: string;
  readonly title: string;
  readonly changedBy: readonly number[];
  readonly changes: readonly number[];
}

const records = tree
  .flatMap(({ path, text }) => {
    const [, file, number] = /^docs\/adr\/((\d{4})-[\w-]+\.md)$/.exec(path) ?? [];
    return file ? [{ number: Number(number), file, text }] : [];
  })
  .toSorted((a, b) => a.number - b.number);
const numbers = new Set(records.map(({ number }) => number));

const rows: readonly Row[] = [...index.matchAll(/^\| \[(\d+)\]\((.*?)\) \| (.*) \|$/gm)].map(
  ([, number, file, rest = '']) => {
    const [title = '', changedBy = '', changes = ''] = rest.split(' | ');
    return {
      ...{ number: Number(number), file: file!, title },
      ...{ changedBy: linksOf(changedBy), changes: linksOf(changes) },
    };
  },
);

function linksOf(cell: string): readonly number[] {
  return [...cell.matchAll(/\[(\d+)\]/g)].map(([, number]) => Number(number));
}

/** Numbers of the records that a text names: ADR 1, ADRs 1, 2 and 3, docs/adr/0001, 0002. */
function namedIn(text: string): readonly number[] {
  const lists = text.matchAll(/\bADRs? (\d+(?:(?:, | and )\d+)*)|docs\/adr\/(\d{4}(?:, \d{4})*)/g);
  return [...lists].flatMap(([list]) => [...list.matchAll(/\d+/g)].map(Number));
}

/** Links to a record that is not there, or not the one that the link's text says. */
function lostLinks({ path, text }: Pick<TreeFile, 'path' | 'text'>): readonly string[] {
  const links = text.matchAll(/\[(?:ADR )?([^\]]*)\]\((?:[\w./]*\/)?((\d{4})-[\w-]+\.md)\)/g);
  return [...links].flatMap(([link, said, file, number]) => {
    const isThere = records.some((record) => record.file === file);
    const isOther = /^\d+$/.test(said!) && Number(said) !== Number(number);
    return isThere && !isOther ? [] : [`${path}: ${link}`];
  });
}

test('every record is listed with its number and title; missing numbers are named', (t) => {
  const listed = records.map(({ number, file, text }) => ({
    ...{ number, file, title: /^# (.*)$/m.exec(text)?.[1] },
  }));
  t.deepEqual(
    rows.map(({ number, file, title }) => ({ number, file, title: `${number}. ${title}` })),
    listed,
  );
  const last = Math.max(...numbers);
  const missing = Array.from({ length: last }, (_, i) => i + 1).filter((n) => !numbers.has(n));
  t.true(index.includes(`Numbers ${missing.join(' and ')} were never used.`));
});

test('what changes a record is listed with both, and one of them names the other', (t) => {
  const pairs = (side: 'changedBy' | 'changes') =>
    rows.flatMap((row) => {
      const other = (n: number) => (side === 'changes' ? [n, row.number] : [row.number, n]);
      return row[side].map((n) => other(n).join(' by '));
    });
  t.deepEqual(pairs('changes').toSorted(), pairs('changedBy').toSorted());
  const textOf = (n: number) => records.find(({ number }) => number === n)?.text ?? '';
  for (const { number, changedBy } of rows) {
    for (const later of changedBy) {
      const isNamed =
        namedIn(textOf(number)).includes(later) || namedIn(textOf(later)).includes(number);
      t.true(isNamed, `${number} by ${later}`);
    }
  }
});

test('every record that is named is there', (t) => {
  const lost = tree.flatMap(({ path, text }) => {
    const unknown = namedIn(text).filter((number) => !numbers.has(number));
    return unknown.map((number) => `${path}: ${number}`);
  });
  t.deepEqual(lost, []);
  t.deepEqual(tree.flatMap(lostLinks), []);
});

test('numbers are found one by one and in lists, and links that lead elsewhere', (t) => {
  t.deepEqual(namedIn('ADR 1, ADRs 2, 3 and 4; docs/adr/0005, 0006: 7'), [1, 2, 3, 4, 5, 6]);
  const lostIn = (text: string) => lostLinks({ path: 'a.md', text }).length;
  t.is(lostIn('[ADR 80](docs/adr/0080-rounds.md), [why](0080-rounds.md)'), 0);
  t.is(lostIn('[ADR 81](0080-rounds.md), [80](0080-no-rounds.md)'), 2);
});
