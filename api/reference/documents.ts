// The guides of docs/ and the README as pages of the site: HTML, headings, and their texts for
// search; pure but for reading the files.
import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { Marked, type Tokens } from 'marked';
import { escapeHtml } from '../../models/exports/escape-html.ts';

const root = join(import.meta.dirname, '..', '..');

export interface Heading {
  readonly id: string;
  readonly level: number;
  readonly text: string;
}

export interface Section {
  /** Of the page, below `docs/`. */
  readonly page: string;
  readonly title: string;
  readonly heading: string;
  readonly id: string;
  readonly text: string;
}

export interface Document {
  /** Path below `docs/` without its ending; `` for the README. */
  readonly name: string;
  readonly title: string;
  readonly html: string;
  readonly headings: readonly Heading[];
  readonly sections: readonly Section[];
}

/** Markdown files of the site by their names. */
function readSources(): ReadonlyMap<string, string> {
  const sources = new Map([['', readFileSync(join(root, 'README.md'), 'utf8')]]);
  const folder = join(root, 'docs');
  for (const path of readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted()) {
    if (!path.endsWith('.md')) continue;
    sources.set(path.replaceAll('\\', '/').slice(0, -3), readFileSync(join(folder, path), 'utf8'));
  }
  return sources;
}

/** One document at a time, between which other requests are served: all take a quarter second. */
export async function readDocuments(): Promise<ReadonlyMap<string, Document>> {
  const sources = readSources();
  const names = new Set(sources.keys());
  const documents = new Map<string, Document>();
  for (const [name, text] of sources) {
    documents.set(name, toDocument({ name, text }, names));
    await setImmediate();
  }
  return documents;
}

interface Source {
  readonly name: string;
  readonly text: string;
}

/**
 * Links to other documents lead to their pages; those to files that the site does not serve become
 * plain text. HTML in a document is shown as text.
 * @param names of all documents
 */
export function toDocument({ name, text }: Source, names: ReadonlySet<string>): Document {
  const headings: Heading[] = [];
  const sections: Section[] = [];
  const taken = new Map<string, number>();
  const marked = new Marked({ gfm: true });
  const tokens = marked.lexer(text);
  for (const token of tokens) {
    if (token.type === 'heading') {
      const { depth, text: shown } = token as Tokens.Heading;
      const plain = plainText(shown);
      const seen = taken.get(slug(plain)) ?? 0;
      taken.set(slug(plain), seen + 1);
      const id = seen === 0 ? slug(plain) : `${slug(plain)}-${seen}`;
      headings.push({ id, level: depth, text: plain });
    }
  }
  const title = headings[0]?.text ?? name;
  let at = -1;
  for (const token of tokens) {
    if (token.type === 'heading') at += 1;
    const { text: heading, id } = headings[Math.max(at, 0)] ?? { text: title, id: '' };
    const last = sections.at(-1);
    const isText = token.type !== 'heading' && !(token.type === 'html' && isComment(token.raw));
    const more = isText ? plainText(token.raw) : '';
    if (last?.id === id) sections[sections.length - 1] = { ...last, text: `${last.text} ${more}` };
    else sections.push({ page: name, title, heading, id, text: more });
  }
  let drawn = 0;
  marked.use({
    renderer: {
      heading({ depth, tokens: inside }) {
        const { id } = headings[drawn++]!;
        const shown = this.parser.parseInline(inside);
        return `<h${depth} id="${id}"><a class="anchor" href="#${id}">${shown}</a></h${depth}>\n`;
      },
      link({ href, tokens: inside }) {
        const address = addressOf(href, name, names);
        const shown = this.parser.parseInline(inside);
        return address === null ? shown : `<a href="${escapeHtml(address)}">${shown}</a>`;
      },
      image: ({ text: alt }) => escapeHtml(alt),
      html: ({ text: given }) => (isComment(given) ? '' : escapeHtml(given)),
      table(token) {
        const cells = (row: readonly Tokens.TableCell[], kind: string): string =>
          row
            .map(({ tokens: inside }) => `<${kind}>${this.parser.parseInline(inside)}</${kind}>`)
            .join('');
        const body = token.rows.map((row) => `<tr>${cells(row, 'td')}</tr>`).join('\n');
        const head = token.header.some(({ text: shown }) => shown !== '')
          ? `<thead><tr>${cells(token.header, 'th')}</tr></thead>`
          : '';
        return `${wideTable}<table>${head}<tbody>${body}</tbody></table></div>\n`;
      },
      code({ text: given }) {
        return `<pre tabindex="0"><code>${escapeHtml(given)}</code></pre>\n`;
      },
    },
  });
  return { name, title, html: marked.parser(tokens), headings, sections };
}

/** Scrolls sideways where it does not fit, also by keyboard. */
const wideTable = '<div class="wide" tabindex="0" role="group" aria-label="Table">';

/** Comments are for those who read the file. */
function isComment(html: string): boolean {
  return /^\s*<!--[^]*-->\s*$/.test(html);
}

/** null for a file that is not served. */
function addressOf(href: string, name: string, names: ReadonlySet<string>): string | null {
  if (/^(https?:|#)/.test(href)) return href;
  const [path = '', anchor] = href.split('#');
  const folder = name === '' ? '.' : posix.join('docs', dirname(name));
  const target = posix.normalize(posix.join(folder, path));
  const page = target === 'README.md' ? '' : /^docs\/(.+)\.md$/.exec(target)?.[1];
  if (page === undefined || !names.has(page)) return null;
  // From the folder of this page's address, `docs` itself for the README.
  const base = name === '' ? '' : '../'.repeat(name.split('/').length);
  const to = page === '' ? `${base}docs` : `${base}docs/${page}`;
  return anchor === undefined ? to : `${to}#${anchor}`;
}

/** As GitHub makes them of headings. */
function slug(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-');
}

/** Markdown without its marks. */
function plainText(markdown: string): string {
  return markdown
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/[`*|#]|^-+$/gm, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
}
