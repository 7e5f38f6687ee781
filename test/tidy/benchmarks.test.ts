// docs/benchmarks says what is measured now: figures in tables, and no history of versions.
import { dirname, join } from 'node:path/posix';
import test from 'ava';
import { readTree, type TreeFile } from './tree.ts';

const maxColumns = 200;
const tree = readTree();
const paths = new Set(tree.map(({ path }) => path));
const documents = tree.filter(({ path }) => /^docs\/benchmarks\/.*\.md$/.test(path));

/** A commit or version in a sentence; rows of tables name those of their figures. */
const version = /(?<![\w-])(?=[0-9a-f]*[a-f])(?=[0-9a-f]*\d)[0-9a-f]{8}(?![\w-])/;

function faults({ path, lines }: Pick<TreeFile, 'path' | 'lines'>): readonly string[] {
  return lines.flatMap((line, i) => {
    const at = `${path}:${i + 1}`;
    return [
      ...(line.length > maxColumns ? [`${at} has ${line.length} columns`] : []),
      ...(/before \[?ADR \d/.test(line) ? [`${at} has an earlier figure`] : []),
      ...(!line.startsWith('|') && version.test(line) ? [`${at} names a version`] : []),
      ...lostLinks(path, line).map((link) => `${at} leads to ${link}`),
    ];
  });
}

function lostLinks(path: string, line: string): readonly string[] {
  const links = [...line.matchAll(/\]\(([^)#]+)(?:#[^)]*)?\)/g)].map(([, link]) => link!);
  return links.filter((link) => !paths.has(join(dirname(path), link)));
}

test('the benchmarks are short lines of present figures, and their links lead to files', (t) => {
  t.true(documents.length >= 4);
  t.deepEqual(documents.flatMap(faults), []);
});

test('long lines, earlier figures, versions in sentences and lost links are found', (t) => {
  const inLine = (line: string) => faults({ path: 'docs/benchmarks/a.md', lines: [line] }).length;
  t.is(inLine('x'.repeat(201)), 1);
  t.is(inLine('| WER | 5.6 % (5.9 before ADR 90) |'), 1);
  t.is(inLine('As version 0655bde5 had.'), 1);
  t.is(inLine('[speed](speeds.md#ratios)'), 1);
  t.is(inLine('| 0655bde5 | of 2026-11-29, [speed](speed.md), seed 20261124 |'), 0);
});
