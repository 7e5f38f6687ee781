// Migrations only expand: the version before runs beside the new one and reads what it knows.
import { readdirSync, readFileSync } from 'node:fs';
import test from 'ava';

const folder = new URL('../../db/migrations/', import.meta.url);

/** From here on; those before ran when one version was all there was. */
const firstHeld = '2026-11-23';

/** What a version that is running would stumble over. */
const contracting: readonly RegExp[] = [
  /\bDROP\s+(?!INDEX\b|TRIGGER\b)/i,
  /\bRENAME\b/i,
  /\bSET\s+NOT\s+NULL\b/i,
  /\bALTER\s+COLUMN\s+\w+\s+(SET\s+DATA\s+)?TYPE\b/i,
  /\bTRUNCATE\s+(?!ON\b)/i,
  /\bDELETE\s+FROM\b/i,
];

/** A new column that the version before does not fill in. */
function bareColumns(text: string): readonly string[] {
  return [...text.matchAll(/\bADD COLUMN\s+[^,`]+/gi)]
    .map(([column]) => column)
    .filter((column) => /\bNOT NULL\b/i.test(column) && !/\bDEFAULT\b/i.test(column));
}

function violations(text: string): readonly string[] {
  const code = text.replaceAll(/^\s*\/\/.*$/gm, '');
  const found = contracting.flatMap((rule) => rule.exec(code)?.[0] ?? []);
  return [...found, ...bareColumns(code)];
}

const read = (name: string): string => readFileSync(new URL(name, folder), 'utf8');
const names = readdirSync(folder).toSorted();

for (const name of names.filter((candidate) => candidate >= firstHeld)) {
  test(`${name} takes nothing away`, (t) => {
    t.deepEqual(violations(read(name)), []);
  });
}

test('the rule finds what it is about', (t) => {
  t.true(violations(read('2026-11-21-terms.ts')).length >= 2, 'a column was dropped there');
  for (const statement of [
    'ALTER TABLE a RENAME COLUMN b TO c',
    'ALTER TABLE a ALTER COLUMN b SET NOT NULL',
    'ALTER TABLE a ADD COLUMN b integer NOT NULL',
    'ALTER TABLE a ADD COLUMN c int, ADD COLUMN b integer NOT NULL CHECK (b > 0)',
    'ALTER TABLE a ALTER COLUMN b TYPE bigint',
    'DROP TABLE a',
    'TRUNCATE a',
  ]) {
    t.true(violations(statement).length > 0, statement);
  }
  t.deepEqual(violations('ALTER TABLE a ADD COLUMN b integer NOT NULL DEFAULT 0'), []);
});
