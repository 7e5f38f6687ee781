// Two recordings side by side: figures in one table, what was said in two columns.
import { at, byId, clock, count, h, isUnsureScore, lengthText, spokenText } from './dom.js';
import { whenSignedIn } from './session.js';
import { notesOf } from './notes.js';
import { shownName } from './speaker-names.js';
import { drawPieces } from './transcript.js';

const query = new URLSearchParams(location.search);
const sides = ['a', 'b'].map((name) => query.get(name) ?? '');
const shownLabels = 3;

whenSignedIn(async (service, ready) => {
  const recordings = await Promise.all(sides.map((side) => load(service, side)));
  document.title = `${recordings.map(({ title }) => title).join(' and ')} · Speech analysis`;
  byId('figures').replaceChildren(
    headOf(recordings),
    h('tbody', {}, figures.map(rowOf(recordings))),
  );
  byId('transcripts').replaceChildren(...recordings.map(columnOf));
  ready();
});

/** @param {string} side BATCH.ITEM, as the search names a recording */
async function load(service, side) {
  const [batch, item] = side.split('.');
  const [about, result] = await Promise.all([
    service.recording({ batch, item }),
    service.result({ batch, item }),
  ]);
  const nameOf = shownName(about.speakers ?? []);
  const href = at(`console/recording?${new URLSearchParams({ batch, item }).toString()}`);
  return { title: about.item.custom_id, href, result, metrics: result.metrics, nameOf };
}

const percent = (share) => `${Math.round(100 * share)}\u00a0%`;

/** What a team lead compares; each is a text, or a list of them. */
const figures = [
  { name: 'Length', of: ({ result }) => lengthText(result.duration) },
  { name: 'Language', of: ({ result, metrics }) => spokenText(result.language, metrics.words) },
  { name: 'Words', of: ({ metrics }) => metrics.words.toLocaleString('en') },
  { name: 'Unsure words', of: ({ metrics }) => unsureShare(metrics) },
  { name: 'Talk', of: ({ metrics }) => lengthText(metrics.talk_seconds) },
  { name: 'Silence', of: ({ metrics }) => lengthText(metrics.silence_seconds) },
  { name: 'Overlap', of: ({ metrics }) => lengthText(metrics.overlap_seconds) },
  { name: 'Shares of talk', of: bySpeaker((each) => `${each.talk_percent}\u00a0%`) },
  { name: 'Words a minute', of: bySpeaker(wordsPerMinute) },
  {
    name: 'Longest monologue',
    of: bySpeaker((each) => lengthText(each.longest_monologue_seconds)),
  },
  { name: 'Interruptions', of: bySpeaker((each) => each.interruptions) },
  { name: 'Emotions, by time', of: ({ result }) => labelShares(result.segments, 'emotions') },
  { name: 'Styles, by time', of: ({ result }) => labelShares(result.segments, 'styles') },
];

function wordsPerMinute({ words_per_minute: words }) {
  return words === null ? '–' : Math.round(words);
}

function unsureShare({ words, low_confidence_words: unsure }) {
  return words > 0 ? percent(unsure / words) : '–';
}

function bySpeaker(figure) {
  return ({ metrics, nameOf }) => {
    const told = metrics.speakers.filter(({ speaker }) => speaker !== null);
    return told.length > 0 ? told.map((each) => named(nameOf(each.speaker), figure(each))) : '–';
  };
}

/** A name of another direction of writing stays before its figure. */
const named = (name, figure) => [h('bdi', {}, name), `: ${figure}`];

/** The labels of most of the time; a segment may have several. */
function labelShares(segments, kind) {
  const seconds = new Map();
  let total = 0;
  for (const segment of segments) {
    const length = segment.end - segment.start;
    total += length;
    for (const { label, score } of segment[kind]) {
      if (!isUnsureScore(score)) seconds.set(label, (seconds.get(label) ?? 0) + length);
    }
  }
  const most = [...seconds].toSorted((a, b) => b[1] - a[1]).slice(0, shownLabels);
  return most.length > 0 ? most.map(([label, of]) => `${label}: ${percent(of / total)}`) : '–';
}

function headOf(recordings) {
  const link = ({ title, href }) =>
    h('th', { scope: 'col' }, h('a', { href }, h('bdi', {}, title)));
  return h('thead', {}, h('tr', {}, h('th', { scope: 'col' }, 'Figure'), recordings.map(link)));
}

function rowOf(recordings) {
  return ({ name, of }) => {
    const cells = recordings.map((recording) => {
      const value = of(recording);
      const lines = Array.isArray(value) ? value.map((line) => h('div', {}, line)) : value;
      return h('td', {}, lines);
    });
    return h('tr', {}, h('th', { scope: 'row' }, name), cells);
  };
}

/** Both may have the same name. */
function columnOf({ title, href, result, nameOf }, index) {
  const order = index === 0 ? 'first' : 'second';
  const turns = result.segments.map(({ start, speaker, pieces }) =>
    h(
      'li',
      {},
      h('a', { class: 'time', href: `${href}#t=${start.toFixed(1)}` }, clock(start)),
      h('strong', {}, ' ', h('bdi', {}, nameOf(speaker)), ' '),
      h('bdi', { lang: result.language }, drawPieces(pieces)),
    ),
  );
  return h(
    'section',
    { class: 'card', 'aria-label': `Transcript of the ${order}, ${title}` },
    h('h2', { dir: 'auto' }, title),
    h('p', { class: 'quiet' }, count(result.segments.length, 'turn')),
    ...notesOf(result).map((note) => h('p', { class: 'note' }, note)),
    h('ol', { class: 'plain-turns' }, turns),
  );
}
