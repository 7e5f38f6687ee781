// The pages of the documentation: their frame, the list of guides, and the index of the search.
import { pageAssets } from '../console/assets.ts';
import { head, navigation } from '../console/shell.ts';
import type { Document, Section } from './documents.ts';
import type { Operation } from './operation.ts';

/** In the order of the list; documents that it does not name are found by search and links. */
const groups = [
  { name: 'Use', pages: ['', 'console', 'api', 'bulk', 'accounts'] },
  { name: 'Streams', pages: ['streams/live', 'streams/lite', 'streams/spectra-2'] },
  {
    name: 'Clients',
    pages: [
      ...['clients/typescript', 'clients/python', 'clients/command-line', 'openai', 'hume'],
      ...['streams/realtime', 'clients/mcp', 'clients/open-webui', 'clients/livekit'],
      'clients/wyoming',
    ],
  },
  { name: 'Run', pages: ['deploy', 'settings', 'operations', 'capacity', 'backup'] },
  { name: 'Know', pages: ['ARCHITECTURE', 'benchmarks/README', 'adding'] },
];

export const referenceName = 'reference';

export interface SitePage {
  readonly name: string;
  readonly title: string;
  readonly html: string;
  readonly headings: readonly { readonly id: string; readonly text: string }[];
}

export function renderSitePage(page: SitePage, documents: ReadonlyMap<string, Document>): string {
  const root = rootOf(page.name);
  const entry = (name: string, title: string): string => {
    const mark = name === page.name ? ' aria-current="page"' : '';
    return `<li><a href="${root}docs${name === '' ? '' : `/${name}`}"${mark}>${title}</a></li>`;
  };
  const lists = groups.map(({ name, pages }) => {
    const entries = pages.flatMap((each) => {
      const found = documents.get(each);
      return found ? [entry(each, each === '' ? 'Start here' : found.title)] : [];
    });
    if (name === 'Use') entries.push(entry(referenceName, 'API reference'));
    return `<h2>${name}</h2><ul>${entries.join('')}</ul>`;
  });
  const onPage = page.headings.map(({ id, text }) => `<li><a href="#${id}">${text}</a></li>`);
  return `<!doctype html>
<html lang="en" data-root="${root}">
<head>${head({ title: page.title, root, module: 'docs.js', nonce: null })}
<link rel="stylesheet" href="${root}${pageAssets().path}/docs.css">
</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
${navigation(root, 'Docs')}
<div class="site">
<aside class="guides" aria-label="Documentation">
<form role="search" id="search" aria-label="Search the documentation">
<input id="q" type="search" aria-label="Search the documentation" placeholder="Search"
autocomplete="off"></form>
<div id="found" role="region" aria-live="polite" aria-label="Found" hidden></div>
<details id="guides" open><summary>Guides</summary>
<nav aria-label="Guides">${lists.join('')}</nav></details>
</aside>
<main id="main" tabindex="-1" class="prose">${page.html}</main>
${onPage.length < 2 ? '' : `${onPageStart}<ul>${onPage.join('')}</ul></nav>`}
</div>
</body>
</html>
`;
}

const onPageStart = '<nav class="on-page" aria-label="On this page">';

/** From a page's address to the root of the service. */
function rootOf(name: string): string {
  return name === '' ? '' : '../'.repeat(name.split('/').length);
}

const maxSectionText = 1_500;

/** What the browser searches: sections of the guides, and operations. */
export function searchIndex(
  documents: ReadonlyMap<string, Document>,
  operations: readonly Operation[],
): readonly Section[] {
  const guides = [...documents.values()].flatMap(({ sections }) => sections);
  const calls = operations.map(({ id, method, path, summary, description }) => ({
    ...{ page: referenceName, title: 'API reference', heading: summary, id },
    text: `${method.toUpperCase()} ${path} ${description}`,
  }));
  return [...calls, ...guides].map((section) => {
    return { ...section, text: section.text.slice(0, maxSectionText) };
  });
}
