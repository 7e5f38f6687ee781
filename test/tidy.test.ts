// The layout rules of the tree: imports between folders, sizes, names, and what must not be in it.
import test from 'ava';
import { importsOf } from './tidy/imports.ts';
import { permission, readModuleTable, rowOf } from './tidy/module-table.ts';
import { unusedTerms } from './tidy/terms.ts';
import { isCode, readTree, type TreeFile } from './tidy/tree.ts';

const tree = readTree();
const code = tree.filter(isCode);

const maxFileLines = 250;
const maxColumns = 100;
/** Written by clients/generator/run.ts. */
const generated = 'clients/typescript/src/schemas.ts';

/** One finding per line that the predicate names. */
function findings(files: readonly TreeFile[], finds: (line: string) => boolean): string[] {
  return files.flatMap(({ path, lines }) =>
    lines.flatMap((line, index) => (finds(line) ? [`${path}:${index + 1} ${line.trim()}`] : [])),
  );
}

const table = readModuleTable();
const folders = table.map(({ folder }) => folder);
const modules = code.filter(({ path }) =>
  /^(activities|api|bin|clients|db|models|workflows)\//.test(path),
);

test('every folder imports only what the table of modules allows', (t) => {
  const forbidden = modules.flatMap((file) => {
    const row = rowOf(table, file.path);
    if (row === null) return [`${file.path} is in no folder of the table`];
    return importsOf(file)
      .filter((edge) => permission(table, row, edge) === null)
      .map(({ specifier }) => `${file.path} imports ${specifier}`);
  });
  t.deepEqual(forbidden, []);
});

test('what the table of modules allows is used, and listed in earlier rows', (t) => {
  for (const [i, row] of table.entries()) {
    const used = modules
      .filter(({ path }) => rowOf(table, path) === row)
      .flatMap((file) => importsOf(file).map((edge) => permission(table, row, edge)));
    const allowed = [...row.folders, ...row.types, ...row.packages];
    t.deepEqual(
      allowed.filter((name) => !used.includes(name)),
      [],
      `${row.folder} may import them`,
    );
    const below = [...row.folders, ...row.types].filter((name) => folders.indexOf(name) >= i);
    t.deepEqual(below, [], `stand below ${row.folder}`);
  }
});

test('no folders import each other in a circle, nor do files', (t) => {
  const parts = (path: string): string[] => path.split('/');
  const circles = (nodeOf: (path: string) => string | null): string[] => {
    const edges = new Map<string, Set<string>>();
    for (const file of modules) {
      const from = nodeOf(file.path);
      for (const { target, isRelative } of importsOf(file)) {
        // Data imports nothing.
        const to = isRelative && !target.endsWith('.json') ? nodeOf(target) : null;
        if (from === null || to === null || from === to) continue;
        edges.set(from, (edges.get(from) ?? new Set()).add(to));
      }
    }
    return [...edges.keys()].filter((start) => {
      const reached = new Set(edges.get(start));
      for (const node of reached) for (const next of edges.get(node) ?? []) reached.add(next);
      return reached.has(start);
    });
  };
  t.deepEqual(
    circles((path) => path),
    [],
    'files',
  );
  // A file directly in a folder that has folders of its own combines these.
  const inFolder = (path: string): string | null =>
    parts(path).length > 2 ? parts(path).slice(0, 2).join('/') : null;
  t.deepEqual(circles(inFolder), [], 'folders');
  t.deepEqual(
    circles((path) => parts(path)[0]!),
    [],
    'the top level',
  );
});

test('the table rejects what it does not name', (t) => {
  const asks = (path: string, target: string, typeOnly = false): string | null => {
    const edge = { target, isRelative: target.endsWith('.ts'), typeOnly };
    return permission(table, rowOf(table, path)!, edge);
  };
  t.is(asks('api/runs/runs.ts', 'activities/sweep.ts', true), null);
  t.is(asks('activities/sweep.ts', 'api/http/errors.ts', true), null);
  t.is(asks('models/analysis/plan/plan.ts', 'db/settlement.ts'), null);
  t.is(asks('workflows/plan.ts', 'models/contract/billing.ts'), null);
  t.is(asks('workflows/plan.ts', 'models/contract/billing.ts', true), 'models/contract');
  t.is(asks('models/analysis/plan/plan.ts', 'models/onnx/session.ts'), null);
  t.is(asks('api/app.ts', 'onnxruntime-node'), null);
  t.is(asks('models/onnx/session.ts', 'onnxruntime-node'), 'onnxruntime-node');
});

test('no process of the service loads ONNX Runtime or FFmpeg itself', (t) => {
  const files = new Map(code.map((file) => [file.path, file]));
  for (const entry of ['bin/api.ts', 'bin/stream-worker.ts', 'bin/worker.ts']) {
    const loaded = new Set([entry]);
    for (const path of loaded) {
      const file = files.get(path);
      const edges = file ? importsOf(file) : [];
      for (const { target, typeOnly } of edges) if (!typeOnly) loaded.add(target);
    }
    t.true(loaded.has('models/contract/catalog.ts'));
    t.deepEqual(
      [...loaded].filter((name) => /^(onnxruntime-node|node-av)/.test(name)),
      [],
      entry,
    );
  }
});

test('values, types, re-exports and dynamic imports are seen as imports', (t) => {
  const text = [
    "import { a } from './a.ts';",
    "import type { B } from './b.ts';",
    "export * from './c.ts';",
    "const d = await import('./d.ts');",
    "// import { e } from './e.ts';",
    "import {\n  f,\n  type G,\n} from '../f.ts';",
    "import 'node:fs';",
    'export { a, d, f };',
  ].join('\n');
  const found = importsOf({ path: 'models/x/y.ts', text, lines: [] });
  t.deepEqual(found.map(({ target, typeOnly }) => `${target}${typeOnly ? ' (type)' : ''}`).sort(), [
    'models/f.ts',
    'models/x/a.ts',
    'models/x/b.ts (type)',
    'models/x/c.ts',
    'models/x/d.ts',
    'node:fs',
  ]);
});

test('only the executables and tests read the environment', (t) => {
  const readers = findings(
    code.filter(({ path }) => !/^(bin|test|docs)\//.test(path)),
    (line) => /\bprocess\.env\b/.test(line),
  );
  t.deepEqual(readers, []);
});

test(`no file is longer than ${maxFileLines} lines`, (t) => {
  const written = code.filter(({ path }) => path !== generated);
  const long = written.filter(({ lines }) => lines.length > maxFileLines);
  t.deepEqual(
    long.map(({ path, lines }) => `${path}: ${lines.length}`),
    [],
  );
});

test(`no line is wider than ${maxColumns} columns, but for what the specification says`, (t) => {
  const quotes = 'test/conformance/sections/';
  const wide = [
    ...findings(
      code.filter(({ path }) => !path.startsWith(quotes)),
      (line) => line.length > maxColumns,
    ),
    ...findings(
      code.filter(({ path }) => path.startsWith(quotes)),
      (line) => line.replace(/(['"]).{60,}\1/, '').length > maxColumns,
    ),
  ];
  t.deepEqual(wide, []);
});

test('every code file starts with a comment on its purpose', (t) => {
  const silent = code.filter(({ lines }) => !/^(\/\/|\/\*) ?\S/.test(lines[0] ?? ''));
  t.deepEqual(
    silent.map(({ path }) => path),
    [],
  );
});

test('no test is disabled or exclusive', (t) => {
  // test/support decides, in one module, what a machine without recorded speech skips.
  const tests = code.filter(({ path }) => /^test\/(?!support\/)/.test(path));
  t.deepEqual(
    findings(tests, (line) => /\btest(\.serial)?\.(only|skip|failing|todo)\b/.test(line)),
    [],
  );
});

test('no unfinished work is noted in comments', (t) => {
  const marks = new RegExp(['TO' + 'DO', 'FIX' + 'ME', 'XX' + 'X', 'HA' + 'CK'].join('|'));
  t.deepEqual(
    findings(code, (line) => marks.test(line)),
    [],
  );
});

test('comments, titles and documents use the terms of the trade', (t) => {
  t.deepEqual(unusedTerms(tree), []);
  const lines = ['// The talkers.', "test('two talkers', (t) => {", 'const talkers = 1;'];
  t.is(unusedTerms([{ path: 'a.ts', text: '', lines }]).length, 2);
});

test('files are named in kebab-case for the thing that they hold', (t) => {
  const inFolders = code.filter(({ path }) => path.includes('/'));
  const misnamed = inFolders.filter(({ path }) => {
    const name = path.slice(path.lastIndexOf('/') + 1).replace(/(\.test|\.bench)?\.(ts|mjs)$/, '');
    if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(name)) return true;
    if (/^(utils?|helpers?|misc|common|shared)$/.test(name)) return true;
    if (name === 'types') return path !== 'workflows/types.ts';
    if (name === 'index') return !/^(workflows|activities)\/index\.ts$/.test(path);
    return false;
  });
  t.deepEqual(
    misnamed.map(({ path }) => path),
    [],
  );
});

test('relative imports name the file with its ending', (t) => {
  const bare = code.flatMap((file) =>
    importsOf(file)
      .filter(({ isRelative, specifier }) => isRelative && !/\.(ts|mjs|json)$/.test(specifier))
      .map(({ specifier }) => `${file.path} imports ${specifier}`),
  );
  t.deepEqual(bare, []);
});

test('the tree names no registry and no path of one machine', (t) => {
  const address = /https?:\/\/[^\s/'"`]*\b(registry|pypi|npm|goproxy|mirror)\b/i;
  const localPath = /(^|[\s'"`(=:])\/(root|home|Users|work)\//;
  t.deepEqual(
    findings(tree, (line) => address.test(line) || localPath.test(line)),
    [],
  );
});

test('the lock names versions and hashes, not where they were fetched', (t) => {
  const lock = tree.find(({ path }) => path === 'package-lock.json');
  t.truthy(lock);
  t.false(lock?.text.includes('"resolved"'));
});
