// The transcript: words that light up as they are spoken, times that seek, unsure words marked.
import { byId, clock, count, h, isUnsureScore, scoreText } from './dom.js';
import { reveal } from './reveal.js';

/**
 * @param {readonly object[]} segments
 * @param {{ speakers: object, labels: { emotions: readonly string[], styles: readonly string[] },
 *   language: string | null, hasWords: boolean, seek: (seconds: number) => void }} options
 *   speakers by speaker-names.js; whether the task has words
 */
export function createTranscript(segments, { speakers, seek, ...shown }) {
  /** Words with their elements, in order of time. */
  const words = [];
  const rows = segments.map((segment) => rowOf(segment, { words, ...shown }));
  const empty = h('li', { class: 'quiet' }, 'No speech was found in this recording.');
  byId('transcript').replaceChildren(...(rows.length > 0 ? rows.map(({ row }) => row) : [empty]));
  // One listener for thousands of words, and none more when another view is drawn.
  const starts = new Map(words.map(({ element, start }) => [element, start]));
  byId('transcript').onclick = ({ target }) => {
    const start = starts.get(target) ?? target.closest('.time')?.dataset.start;
    if (start !== undefined) seek(Number(start));
  };
  words.sort((a, b) => a.start - b.start);
  const unsure = words.filter(({ isUnsure }) => isUnsure).length;
  byId('unsure-note').textContent = unsure === 0 ? '' : unsureText(unsure, words.length);
  byId('labels-note').textContent = segments.some(hasUnsureLabel) ? unsureLabelText : '';
  const showNames = () => {
    for (const { who, segment } of rows) {
      who.textContent = speakers.nameOf(segment.speaker);
      who.hidden = segment.speaker === null;
      who.className = `who ${speakers.colourOf(segment.speaker)}`;
    }
  };
  showNames();
  let lit = null;
  let current = null;
  return {
    showNames,
    /** Moves the sound to a word; what lies between words has no time. */
    goTo: (element) => {
      const start = starts.get(element);
      if (start !== undefined) seek(start);
    },
    /** @returns the segment at the position; null between segments */
    show(seconds, isFollowed) {
      const word = wordAt(words, seconds);
      if (word !== lit) {
        lit?.element.classList.remove('lit');
        word?.element.classList.add('lit');
        lit = word;
      }
      const found = rows.find(({ segment }) => segment.start <= seconds && seconds < segment.end);
      if (found !== current) {
        current?.row.classList.remove('current');
        found?.row.classList.add('current');
        if (found && isFollowed) reveal(byId('transcript'), found.row);
        current = found;
      }
      return found?.segment ?? null;
    },
  };
}

const unsureLabelText =
  'Emotions and styles followed by (?) are uncertain: their score is below 0.5.';

const hasUnsureLabel = ({ emotions, styles }) =>
  [...emotions, ...styles].some(({ score }) => isUnsureScore(score));

/** Where most are uncertain, the sentence at the top has counted them. */
function unsureText(unsure, total) {
  if (2 * unsure > total) return 'Uncertain words are underlined with dots.';
  const of = `${unsure.toLocaleString('en')} of ${count(total, 'word')}`;
  return unsure === 1
    ? `${of} is uncertain; it is underlined with dots.`
    : `${of} are uncertain; they are underlined with dots.`;
}

/**
 * The pieces of a turn as elements, unsure words marked.
 * @param {(element: Element, times: { start: number, end: number, isUnsure: boolean }) => void}
 *   found called with each word
 */
export function drawPieces(pieces, found = () => {}) {
  return pieces.map((piece) => {
    if (typeof piece === 'string') return piece;
    const [shown, start, end, confidence, isUnsure] = piece;
    const element = h('span', { class: isUnsure ? 'word unsure' : 'word' }, shown);
    if (isUnsure) element.title = `confidence ${confidence.toFixed(2)}`;
    found(element, { start, end, isUnsure });
    return element;
  });
}

function rowOf(segment, { words, labels, language, hasWords }) {
  const { start, pieces, emotions, styles } = segment;
  const hasText = pieces.length > 0;
  const text = drawPieces(pieces, (element, times) => words.push({ ...times, element }));
  if (!hasText && hasWords) {
    text.push(h('span', { class: 'quiet' }, 'No words were understood.'));
  }
  const who = h('bdi', {});
  const row = h(
    'li',
    {},
    h(
      'button',
      { type: 'button', class: 'time', 'data-start': start },
      h('span', { class: 'visually-hidden' }, 'Play from '),
      clock(start),
    ),
    h(
      'div',
      {},
      h(
        'div',
        { class: 'turn-head' },
        who,
        tagsOf(emotions, 'emotion', (label) => `e${labels.emotions.indexOf(label)}`),
        tagsOf(styles, 'style', (label) => `y${labels.styles.indexOf(label)}`),
      ),
      h('p', { class: 'said', dir: 'auto', lang: hasText ? language : null }, text),
    ),
  );
  return { row, who, segment };
}

function tagsOf(scores, kind, colourOf) {
  return scores.map(({ label, score }) =>
    h(
      'span',
      { class: `scored ${kind}`, title: `${kind} ${label} ${scoreText(score)}` },
      h('span', { class: `dot ${colourOf(label)}` }),
      h('span', { class: 'visually-hidden' }, `${kind} `),
      `${label} ${scoreText(score)}`,
    ),
  );
}

/** The last word that has begun, while it is spoken. */
function wordAt(words, seconds) {
  let [low, high] = [0, words.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (words[middle].start <= seconds) low = middle + 1;
    else high = middle;
  }
  const word = words[low - 1];
  return word && seconds < Math.max(word.end, word.start + 0.05) ? word : null;
}
