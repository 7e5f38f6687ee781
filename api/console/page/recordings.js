// Search over everything that is kept; the search is part of the address, the key is not.
import { at, attempt, byId, count, h, lengthText, spokenText, when } from './dom.js';
import { whenSignedIn } from './session.js';
import { readableName } from './speaker-names.js';

/** After which somebody who waits is told so. */
const noticedMs = 400;
const fields = ['q', 'speaker', 'label', 'language', 'from', 'to'];

whenSignedIn(async (service) => {
  let [query, last, shown] = [asked(), null, 0];
  let reading = null;
  const left = history.state;
  /** What was asked for last is shown, whichever answer comes first. */
  const showPage = async () => {
    const own = service.search({ ...query, ...instantsOf(query), ...(last && { after: last }) });
    reading = own;
    const { data, has_more: hasMore } = await tellWaiting(own, () => reading === own);
    if (reading !== own) return;
    if (last === null) byId('recordings').replaceChildren();
    showChosen();
    byId('recordings').append(...data.map((each) => entryOf(each, query)));
    last = data.at(-1)?.id ?? last;
    shown += data.length;
    byId('more').hidden = !hasMore;
    byId('found').textContent = foundText(shown, hasMore, Object.keys(query).length > 0);
  };
  const search = async () => {
    [query, last, shown] = [asked(), null, 0];
    const text = new URLSearchParams(query).toString();
    history.replaceState(null, '', text ? `?${text}` : location.pathname);
    await showPage();
  };
  const given = new URLSearchParams(location.search);
  for (const name of fields) byId(name).value = given.get(name) ?? '';
  byId('search').addEventListener('submit', (event) => {
    event.preventDefault();
    void attempt(search);
  });
  byId('search').addEventListener('reset', () => setTimeout(() => void attempt(search)));
  for (const name of ['label', 'language', 'from', 'to']) {
    byId(name).addEventListener('change', () => void attempt(search));
  }
  byId('more').addEventListener('click', () => void attempt(showPage));
  byId('recordings').addEventListener('change', showChosen);
  await search();
  // Whoever comes back from a recording goes on where the list was left.
  while (shown < left?.shown && !byId('more').hidden) await showPage();
  if (left?.top) scrollTo(0, left.top);
  const keepPlace = () => history.replaceState({ shown, top: scrollY }, '');
  byId('recordings').addEventListener('click', keepPlace);
});

/** @param {() => boolean} isWanted whether nothing else has been asked for since */
async function tellWaiting(answer, isWanted) {
  const tell = (text) => isWanted() && (byId('found').textContent = text);
  const waiting = setTimeout(() => tell('Searching …'), noticedMs);
  try {
    return await answer;
  } catch (error) {
    tell('');
    throw error;
  } finally {
    clearTimeout(waiting);
  }
}

function asked() {
  const given = fields.map((name) => [name, byId(name).value.trim()]);
  return Object.fromEntries(given.filter(([, value]) => value !== ''));
}

/** Of the days as the list shows them: from the beginning of the first to the end of the last. */
function instantsOf({ from, to }) {
  return { ...(from && { from: dayStart(from, 0) }), ...(to && { to: dayStart(to, 1) }) };
}

/** Where the clock is put forward at midnight, a day begins later. */
function dayStart(day, later) {
  const [year, month, date] = day.split('-').map(Number);
  return new Date(year, month - 1, date + later).toISOString();
}

function foundText(shown, hasMore, isSearch) {
  if (shown > 0) return hasMore ? `The newest ${shown}` : count(shown, 'recording');
  return isSearch
    ? 'No recording matches; try fewer words, or clear the filters.'
    : 'Nothing is kept yet. Recordings appear here once they are analysed.';
}

/** Two recordings can be compared; with two chosen no third can be. */
function showChosen() {
  const boxes = [...byId('recordings').querySelectorAll('input[name=compared]')];
  const chosen = boxes.filter(({ checked }) => checked).map(({ value }) => value);
  for (const box of boxes) box.disabled = chosen.length === 2 && !box.checked;
  const [a, b] = chosen;
  byId('compare').hidden = a === undefined;
  byId('chosen').textContent = b ? 'Two recordings are chosen. ' : 'Choose another one. ';
  byId('compare-link').hidden = b === undefined;
  if (b)
    byId('compare-link').href = at(`console/compare?${new URLSearchParams({ a, b }).toString()}`);
}

/** A term as the service divides them: words in quotes, or a run without blanks. */
const terms = /-?(?:"[^"]*"?|\S+)/gu;

/** The first word that is searched for, and not left out by a minus. */
function firstWord(words = '') {
  const wanted = words.match(terms)?.filter((term) => !term.startsWith('-')) ?? [];
  return /[\p{L}\p{N}]+/u.exec(wanted.join(' '))?.[0];
}

/** The page of a recording, at the strongest moment of a label where one is given. */
function addressOf(found, { words, label }) {
  const query = new URLSearchParams({ batch: found.batch_id, item: found.index });
  const plain = firstWord(words);
  if (plain) query.set('q', plain);
  if (label) query.set('label', label);
  return at(`console/recording?${query.toString()}`);
}

/** Texts and elements with something between them; empty ones are left out. */
const joined = (between, parts) =>
  parts.filter((part) => part !== '').flatMap((part, i) => (i === 0 ? [part] : [between, part]));

/** Names of another direction of writing keep their places. */
function factsOf({ duration, language, speakers, words, unsure_words: unsure }) {
  const names = [...new Set(speakers.map(readableName))].map((name) => h('bdi', {}, name));
  return joined(' · ', [
    lengthText(duration),
    spokenText(language, words),
    names.length > 0 ? joined(', ', names) : '',
    words > 0 ? `${Math.round((100 * unsure) / words)} % unsure words` : '',
  ]);
}

function entryOf(found, { q: words, label }) {
  const link = (each) =>
    h(
      'a',
      { class: 'tag', href: addressOf(found, { words, label: each }) },
      each,
      h('span', { class: 'visually-hidden' }, `, a moment of ${found.title}`),
    );
  return h(
    'li',
    { class: 'card' },
    h(
      'div',
      { class: 'entry-head' },
      h(
        'a',
        { class: 'name', href: addressOf(found, { words, label }) },
        h('bdi', {}, found.title),
      ),
      h('span', { class: 'quiet' }, when(found.created_at)),
      h(
        'label',
        { class: 'check' },
        h('input', { type: 'checkbox', name: 'compared', value: found.id }),
        ' Compare',
        h('span', { class: 'visually-hidden' }, ` ${found.title}`),
      ),
    ),
    h(
      'p',
      { class: 'excerpt', dir: 'auto', lang: found.language },
      found.excerpt.map(({ text, isHit }) => (isHit ? h('mark', {}, text) : text)),
    ),
    h(
      'div',
      { class: 'line' },
      h('span', { class: 'quiet' }, factsOf(found)),
      h('span', { class: 'tags' }, found.labels.map(link)),
    ),
  );
}
