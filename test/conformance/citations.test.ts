// Whatever comments, docs and the suite cite of the specification exists in docs/spec.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { readTree } from '../tidy/tree.ts';
import type { Document } from './case.ts';
import { entries } from './entries.ts';
import { unquotedLines } from './unquoted.ts';

const docs = join(import.meta.dirname, '..', '..', 'docs');
const folders: Readonly<Record<Document, string>> = {
  'interface.md': 'spec',
  'contract.md': 'spec',
  'live.md': 'streams',
  'realtime.md': 'streams',
  'bulk.md': '.',
  'hume.md': '.',
};
const texts = new Map(
  Object.entries(folders).map(([document, folder]) => {
    return [document as Document, readFileSync(join(docs, folder, document), 'utf8')];
  }),
);

/** A citation names a section in quotes, or an endpoint of interface.md. */
const citation = /\b(interface|contract)\.md, (?:"([^"]+)"|((?:GET|POST) \/[\w/-]+))/g;

/** A comment's text without its line breaks and comment marks. */
function unwrapped(text: string): string {
  return text.replace(/\n\s*(?:\/\/|\*|#)?\s*/g, ' ');
}

interface Citation {
  readonly document: Document;
  readonly heading: string;
}

function citationsOf(text: string): readonly Citation[] {
  return [...unwrapped(text).matchAll(citation)].map(([, document, section, endpoint]) => ({
    document: `${document}.md` as Document,
    heading: section ?? endpoint!.replace(' ', ' `'),
  }));
}

function stands({ document, heading }: Citation): boolean {
  return texts
    .get(document)!
    .split('\n')
    .some((line) => /^#+ /.test(line) && line.replace(/^#+ /, '').startsWith(heading));
}

test('every section and endpoint that is cited exists', (t) => {
  const cited = readTree().flatMap(({ path, text }) =>
    citationsOf(text).map((own) => ({ path, ...own })),
  );
  t.true(cited.length >= 8, 'the citations of the tree are found');
  t.deepEqual(
    cited.filter((own) => !stands(own)),
    [],
  );
});

test('a citation is found across lines, and an unresolved one is reported', (t) => {
  const wrapped = ['contract' + '.md,', '"Errors" and interface' + '.md, POST /v1/nothing'];
  const found = citationsOf(wrapped.join('\n// '));
  t.deepEqual(
    found.map((own) => [own.document, own.heading, stands(own)]),
    [
      ['contract.md', 'Errors', true],
      ['interface.md', 'POST `/v1/nothing', false],
    ],
  );
});

test('lines without a case are listed, those in paragraphs and over two lines too', (t) => {
  const document = ['# Rules', 'A rule.', '', '- One that', '  goes on.', '', '| a |', '|---|'];
  const row = '| row |';
  const found = (...quotes: readonly string[]) =>
    unquotedLines([...document, row].join('\n'), quotes).map(({ text }) => text);
  t.deepEqual(found(), ['A rule.', '- One that', '  goes on.', row]);
  t.deepEqual(found('A rule', 'that   goes'), [row]);
  t.deepEqual(found('One that', row), ['A rule.', '  goes on.']);
});

test('every case of the suite quotes a sentence of the specification', (t) => {
  const joined = new Map(
    [...texts].map(([document, text]) => [document, text.replaceAll('\n', ' ')]),
  );
  const invented = entries.filter(({ from, sentence }) => !joined.get(from)!.includes(sentence));
  t.deepEqual(
    invented.map(({ from, sentence }) => `${from}: ${sentence}`),
    [],
  );
});
