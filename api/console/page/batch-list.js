// Batches as cards: name, state, progress.
import { at, byId, count, h, lengthText, when } from './dom.js';

export const ends = ['completed', 'failed', 'cancelled'];

const words = {
  validating: 'waiting',
  in_progress: 'in progress',
  finalizing: 'finishing',
  cancelling: 'stopping',
};

export const stateOf = ({ status }) =>
  h('span', { class: `state ${status}` }, words[status] ?? status);

/** `3 of 12 done, 1 failed`. */
export function countsText({ total, completed, failed, cancelled }) {
  const parts = [`${completed} of ${total} done`];
  if (failed > 0) parts.push(`${failed} failed`);
  if (cancelled > 0) parts.push(`${cancelled} cancelled`);
  return parts.join(', ');
}

/** The same; failures lead to the recordings that failed, where each has its reason. */
export function countsLine({ id, request_counts: { failed, ...others } }) {
  const rest = countsText({ ...others, failed: 0 });
  if (failed === 0) return [rest];
  const query = new URLSearchParams({ id, status: 'failed' }).toString();
  const href = at(`console/batch?${query}`);
  return [rest, ', ', h('a', { href, class: 'error' }, `${failed} failed`)];
}

/** What is left of a batch in progress, as far as it is known. */
export function estimateText(batch) {
  if (ends.includes(batch.status)) return '';
  const { left } = batch.audio_seconds;
  if (left === null) return 'An estimate follows soon.';
  if (left === 0) return 'The last results are being written.';
  const end = batch.estimated_completion_at;
  if (end === null) return `${lengthText(left)} of audio left.`;
  const minutes = Math.ceil(Math.max(0, end - Date.now() / 1_000) / 60);
  const time = minutes <= 1 ? 'less than a minute' : `about ${count(minutes, 'minute')}`;
  return `${lengthText(left)} of audio left, ${time}.`;
}

/** Without a value the bar moves: nothing of the batch can be counted yet. */
export function progressOf({ progress, status }) {
  const isMoving = progress === 0 && !ends.includes(status);
  return h('progress', {
    max: 1,
    value: isMoving ? null : progress,
    'aria-label': `${Math.round(100 * progress)} % done`,
  });
}

const stages = {
  fetching: 'being fetched',
  opening: 'being read',
  diarizing: 'separating speakers',
  analyzing: 'finding words and emotions',
  finishing: 'finishing',
};

/** What is being done with a long recording; null for one that says nothing. */
export function itemProgress({ progress }) {
  if (!progress) return null;
  const { stage, share } = progress;
  const text = share > 0 ? `${stages[stage]}, ${Math.round(100 * share)} %` : stages[stage];
  return { share, text };
}

export const batchName = (batch) => batch.metadata.name ?? batch.id;

function batchCard(batch) {
  const { done } = batch.audio_seconds;
  return h(
    'li',
    { class: 'card', id: batch.id },
    h(
      'div',
      { class: 'line' },
      h(
        'a',
        { class: 'name', href: at(`console/batch?id=${batch.id}`) },
        h('bdi', {}, batchName(batch)),
      ),
      stateOf(batch),
    ),
    ends.includes(batch.status) ? null : progressOf(batch),
    h(
      'p',
      { class: 'quiet' },
      countsLine(batch),
      ` · ${lengthText(done)} charged · ${batch.task} · `,
      when(batch.created_at),
    ),
    ends.includes(batch.status) ? null : h('p', { class: 'quiet' }, estimateText(batch)),
  );
}

const empty = () =>
  h(
    'div',
    { class: 'card empty' },
    h('h2', {}, 'Nothing yet'),
    h('p', {}, 'A batch of one or many recordings appears here once you add some.'),
    byId('drop') ? null : h('a', { class: 'button', href: at('console') }, 'Add recordings'),
  );

/** What the service gives at once. */
export const longestAnswer = 1_000;

/**
 * The first entries of a list, which may be several answers.
 * @param {(limit: number, last: object | undefined) => Promise<object>} ask for those after the last
 */
export async function readFirst(wanted, ask) {
  const entries = [];
  for (let left = wanted; ; left -= longestAnswer) {
    const page = await ask(Math.min(longestAnswer, left), entries.at(-1));
    entries.push(...page.data);
    if (!page.has_more || left <= longestAnswer) return { entries, hasMore: page.has_more };
  }
}

/** After which batches in progress are looked at again. */
const quietMs = 4_000;

/**
 * A list of batches, which is read again now and then while one of them is in progress.
 * @param {() => Promise<readonly object[]>} read
 * @returns {() => Promise<void>} shows them as they are now
 */
export function createBatchList(place, read) {
  let reading = null;
  let shown = null;
  let isMoving = false;
  /** What was asked for last is shown, whichever answer comes first. */
  const show = async () => {
    const own = (reading = read());
    try {
      const batches = await own;
      if (reading !== own) return;
      isMoving = batches.some(({ status }) => !ends.includes(status));
      const text = JSON.stringify(batches);
      if (text !== shown) draw(place, batches);
      shown = text;
    } finally {
      if (reading === own) reading = null;
    }
  };
  setInterval(() => {
    if (!isMoving || reading !== null) return;
    void show().catch(({ status }) => (isMoving = status !== 401));
  }, quietMs);
  return show;
}

/** A link that has the focus keeps it. */
function draw(place, batches) {
  const focused = place.contains(document.activeElement) ? document.activeElement.href : null;
  place.replaceChildren(
    batches.length === 0 ? empty() : h('ul', { class: 'cards' }, batches.map(batchCard)),
  );
  const links = [...place.querySelectorAll('a')];
  links.find(({ href }) => href === focused)?.focus({ preventScroll: true });
}
