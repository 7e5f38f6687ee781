// Documents and comments name files that are there: a file that moves takes its mentions along.
import test from 'ava';
import { isCode, readTree, type TreeFile } from './tree.ts';

const tree = readTree();
const paths = tree.map(({ path }) => path);

/** A file's name, perhaps with folders before it: `api/app.ts`, `app.ts`. */
const mention = /(?<![\w/.@{}-])((?:[\w-]+\/)*[a-z][a-z0-9_-]*(?:\.test)?\.(?:ts|mjs|py))\b/g;

function isThere(name: string): boolean {
  return paths.some((path) => path === name || path.endsWith(`/${name}`));
}

/** What is written for people: documents without their examples, and comments. */
function prose({ path, text }: TreeFile): string {
  if (path.endsWith('.md')) return text.replaceAll(/^```[^]*?^```$/gm, '');
  if (path.endsWith('.py')) return [...text.matchAll(/"""[^]*?"""|#.*/g)].join('\n');
  const comments = text.match(/^\s*(\/\/|\/\*\*?|\*) .*$/gm) ?? [];
  return comments.join('\n');
}

/** @returns `FILE names NAME` for each name that no file has */
function lost(file: TreeFile): readonly string[] {
  const names = [...prose(file).matchAll(mention)].map(([, name]) => name!);
  return names.filter((name) => !isThere(name)).map((name) => `${file.path} names ${name}`);
}

test('documents and comments name files that are there', (t) => {
  const files = tree.filter((file) => /\.(md|py)$/.test(file.path) || isCode(file));
  t.deepEqual(files.flatMap(lost), []);
});

test('a name is found with its folders, without them, and only outside of examples', (t) => {
  const text = 'See `api/app.ts`, app.ts and api/gone.ts.\n```ts new/file.ts\n// no-file.ts\n```\n';
  t.deepEqual(lost({ path: 'a.md', text, lines: [] }), ['a.md names api/gone.ts']);
  const code = "// As in no-file.ts.\nimport './other-file.ts';\n";
  t.deepEqual(lost({ path: 'a.ts', text: code, lines: [] }), ['a.ts names no-file.ts']);
  const python = '"""As in one-file.ts."""\nname = "file.ts"  # And no-file.ts.\n';
  const names = ['a.py names one-file.ts', 'a.py names no-file.ts'];
  t.deepEqual(lost({ path: 'a.py', text: python, lines: [] }), names);
});
