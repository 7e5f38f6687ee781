// Comments, titles of tests and documents use the terms of docs/adr/0040-terms.md.
import test from 'ava';
import { isCode, readTree, type TreeFile } from './tree.ts';

/** Words that the project does not use, each with the term that it uses instead. */
const terms: Readonly<Record<string, string>> = {
  'talkers?': 'speaker',
  'talker count': 'speaker counting',
  'told apart': 'diarized, distinguished',
  likeness: 'similarity',
  dearest: 'highest',
  'hears? of|heard of': 'is notified of',
  'under way': 'in progress',
  'mend(s|ed|ing)?': 'reconcile, repair',
  'left ?overs?': 'orphans',
  'strangers?': 'another organization',
  'in peace': 'undisturbed',
  'nobody asks': 'disabled',
};
const unused = new RegExp(`\\b(${Object.keys(terms).join('|')})\\b`, 'i');

/** The specification, and statements that databases have run, are kept as they are. */
const kept = /^(docs\/spec\/|docs\/adr\/0040|db\/migrations\/|test\/tidy\/terms)/;

/** Lines that people read: documents, comments, and titles of tests. */
function prose({ path, lines }: TreeFile): readonly string[] {
  if (path.endsWith('.md')) return lines;
  return lines.filter((line) => /^\s*(\/\/|\/\*\*?|\*|#) |^test(\.serial)?\(|\s\/\/ /.test(line));
}

function offending(file: TreeFile): readonly string[] {
  return prose(file)
    .filter((line) => unused.test(line))
    .map((line) => `${file.path}: ${line.trim()}`);
}

test('comments, titles and documents use the terms of the trade', (t) => {
  const files = readTree().filter(({ path }) => !kept.test(path));
  const read = files.filter((file) => isCode(file) || /\.(md|py)$/.test(file.path));
  t.deepEqual(read.flatMap(offending), []);
});

test('a term is found in comments, titles and documents, not in code', (t) => {
  const lines = ['// The talkers.', "test('two talkers', (t) => {", 'const talkers = 1;'];
  t.is(offending({ path: 'a.ts', text: '', lines }).length, 2);
  t.is(offending({ path: 'a.md', text: '', lines: ['What is under way.'] }).length, 1);
});
