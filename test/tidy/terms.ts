// The words that comments, titles of tests and documents do not use: docs/adr/0040-terms.md.
import { isCode, type TreeFile } from './tree.ts';

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
const kept = /^(docs\/spec\/|docs\/adr\/0040|db\/migrations\/|test\/tidy)/;

/** Lines that people read: documents, comments, and titles of tests. */
function prose({ path, lines }: TreeFile): readonly string[] {
  if (path.endsWith('.md')) return lines;
  return lines.filter((line) => /^\s*(\/\/|\/\*\*?|\*|#) |^test(\.serial)?\(|\s\/\/ /.test(line));
}

/** @returns `FILE: LINE` for each line with a word that the project does not use */
export function unusedTerms(files: readonly TreeFile[]): readonly string[] {
  return files
    .filter((file) => !kept.test(file.path) && (isCode(file) || /\.(md|py)$/.test(file.path)))
    .flatMap((file) =>
      prose(file)
        .filter((line) => unused.test(line))
        .map((line) => `${file.path}: ${line.trim()}`),
    );
}
