// Columns of what commands list.
import test from 'ava';
import { tableLines } from '../../../bin/commands/table.ts';

test('a column is as wide as its longest cell', (t) => {
  const long = 'a name that no fixed width was made for';
  t.deepEqual(tableLines([['a', 'one', ''], [long, 'two', 'three'], []]), [
    `${'a'.padEnd(long.length)}  one`,
    `${long}  two  three`,
    '',
  ]);
});
