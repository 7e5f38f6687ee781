// docs/ARCHITECTURE.md leaves out no folder: neither in the table of modules nor of `test/`.
import test from 'ava';
import { readModuleTable } from './module-table.ts';
import { readTree } from './tree.ts';

const tree = readTree();
const document = tree.find(({ path }) => path === 'docs/ARCHITECTURE.md')!.text;

/** The folders directly in the folder, with data alone or with code. */
function foldersIn(top: string): readonly string[] {
  const inside = tree.filter(({ path }) => path.startsWith(`${top}/`));
  const names = inside.map(({ path }) => path.split('/').slice(1, -1)[0]);
  return [...new Set(names)].filter((name) => name !== undefined).toSorted();
}

test('every folder of models has a row in the table of modules', (t) => {
  const rows = readModuleTable().map(({ folder }) => folder.split('/').slice(0, 2).join('/'));
  const silent = foldersIn('models').filter((name) => !rows.includes(`models/${name}`));
  t.deepEqual(silent, []);
});

test('every folder of test that mirrors none is named', (t) => {
  const { 0: sentence } = /^`test\/` mirrors[^]*?^and imports everything/m.exec(document)!;
  const isMirror = (name: string): boolean => tree.some(({ path }) => path.startsWith(`${name}/`));
  const own = foldersIn('test').filter((name) => !isMirror(name));
  t.true(own.includes('support'));
  t.deepEqual(
    own.filter((name) => !sentence.includes(`\`${name}\``)),
    [],
  );
});
