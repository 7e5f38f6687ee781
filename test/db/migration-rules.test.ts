// Migrations only expand the schema, because the previous version runs beside the new one.
import { readdirSync, readFileSync } from 'node:fs';
import test from 'ava';
import { migrations } from '../../db/migrate.ts';

const folder = new URL('../../db/migrations/', import.meta.url);

/** Checked from here on; earlier migrations ran when only one version was in operation. */
const firstHeld = '2026-11-23';

/** Statements that would break a running version. */
const contracting: readonly RegExp[] = [
  /\bDROP\s+(?!INDEX\b|TRIGGER\b|EXPRESSION\b)/i,
  /\bRENAME\b/i,
  /\bSET\s+NOT\s+NULL\b/i,
  /\bALTER\s+COLUMN\s+\w+\s+(SET\s+DATA\s+)?TYPE\b/i,
  /\bTRUNCATE\s+(?!ON\b)/i,
  /\bDELETE\s+FROM\b/i,
];

/** A new column that the previous version does not fill. */
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
  test(`${name} removes nothing`, (t) => {
    t.deepEqual(violations(read(name)), []);
  });
}

/** Dated and numbered, so that files, table and execution have one order. */
const sortable = /^\d{4}-\d{2}-\d{2}-\d{2}-[a-z][a-z0-9-]*\.ts$/;

/** Every database that ran them keeps their names; kysely rejects a database that lacks one. */
const namedBefore = [
  '2026-11-21-first.ts',
  '2026-11-21-model-access.ts',
  '2026-11-21-streams.ts',
  '2026-11-21-terms.ts',
  '2026-11-22-batches.ts',
];

test('a migration is named by its day and number, after all earlier ones', async (t) => {
  t.deepEqual(
    names.filter((name) => !sortable.test(name)),
    namedBefore,
  );
  t.true(names.filter((name) => sortable.test(name)).every((name) => name > namedBefore.at(-1)!));
  const listed = Object.keys(migrations).map((name) => `${name}.ts`);
  t.deepEqual(listed, names, 'db/migrate.ts runs every file of the folder, in its order');
});

test('the rule matches what it is meant for', (t) => {
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
