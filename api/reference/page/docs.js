// Search over guides and reference, in the browser; and the choice of colours.
import { at, byId, h } from './dom.js';
import { offerThemes } from './themes.js';

const most = 12;
const around = 70;
let sections = null;

offerThemes();
// On a phone the list would stand before the text.
if (matchMedia('(max-width: 48rem)').matches) byId('guides').open = false;
byId('search').addEventListener('submit', (event) => event.preventDefault());
byId('q').addEventListener('input', () => void search());
// What was typed before this module was loaded.
void search();
// Slash is what people know from other documentation.
document.addEventListener('keydown', (event) => {
  if (event.key !== '/' || /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName)) return;
  event.preventDefault();
  byId('q').focus();
});

async function search() {
  const words = byId('q').value.toLowerCase().split(/\s+/).filter(Boolean);
  byId('found').hidden = words.length === 0;
  if (words.length === 0) return;
  sections ??= await (await fetch(at('docs/assets/search.json'))).json();
  const found = sections
    .map((section) => ({ section, score: scoreOf(section, words) }))
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score)
    .slice(0, most);
  byId('found').replaceChildren(
    h('p', { class: 'quiet' }, found.length === 0 ? 'Nothing found.' : `${found.length} found`),
    h(
      'ul',
      {},
      found.map(({ section }) => entryOf(section, words)),
    ),
  );
}

/** Every word has to occur; those in headings count more. */
function scoreOf({ heading, title, text }, words) {
  const [head, body] = [`${heading} ${title}`.toLowerCase(), text.toLowerCase()];
  let score = 0;
  for (const word of words) {
    if (head.includes(word)) score += 5;
    else if (body.includes(word)) score += 1;
    else return 0;
  }
  return score;
}

function entryOf({ page, title, heading, id, text }, words) {
  const place = Math.max(0, text.toLowerCase().indexOf(words[0]) - around);
  const excerpt = text.slice(place, place + 2 * around);
  const path = page === '' ? 'docs' : `docs/${page}`;
  return h(
    'li',
    {},
    h('a', { href: at(`${path}#${id}`) }, heading),
    h('span', { class: 'quiet' }, ` ${title}`),
    h('p', { class: 'quiet' }, `${place > 0 ? '…' : ''}${excerpt}…`),
  );
}
