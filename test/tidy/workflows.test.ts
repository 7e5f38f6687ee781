// Workflow code is evaluated once for every workflow of a thread (bin/process/bundle-workflows.ts),
// so nothing at the top level of what it imports may change.
import test from 'ava';
import { importsOf } from './imports.ts';
import { isCode, readTree, type TreeFile } from './tree.ts';

const files = new Map(
  readTree()
    .filter(isCode)
    .map((file) => [file.path, file]),
);

/** The files that workflows import, themselves included. */
function bundled(): readonly TreeFile[] {
  const found = new Map<string, TreeFile>();
  const visit = (path: string): void => {
    const file = files.get(path);
    if (!file || found.has(path)) return;
    found.set(path, file);
    for (const { target, typeOnly } of importsOf(file)) if (!typeOnly) visit(target);
  };
  visit('workflows/index.ts');
  return [...found.values()];
}

test('they share no state', (t) => {
  const all = bundled();
  t.true(all.length > 15);
  const isState = /^(export )?(let|var) |^(export )?const \w+ = new (Weak)?(Map|Set)\b/;
  const states = all.flatMap(({ path, lines }) =>
    lines.filter((line) => isState.test(line)).map((line) => `${path}: ${line}`),
  );
  t.deepEqual(states, []);
});
