// One batch: its progress with an estimate, its recordings and their errors.
import { at, attempt, button, byId, confirmLoss, count, h, lengthText, save, when } from './dom.js';
import {
  batchName,
  countsLine,
  ends,
  estimateText,
  itemProgress,
  longestAnswer,
  progressOf,
  readFirst,
  stateOf,
} from './batch-list.js';
import { whenSignedIn } from './session.js';

const pageSize = 100;
const asked = new URLSearchParams(location.search);
const id = asked.get('id') ?? '';

whenSignedIn(async (service, ready) => {
  // Without an id the address is that of the list.
  if (id === '') throw new Error('The address names no batch.');
  let wanted = pageSize;
  let reading = null;
  byId('status').value = asked.get('status') ?? '';
  // A word that is no state shows all.
  if (byId('status').selectedIndex < 0) byId('status').value = '';
  /** What was asked for last is shown, whichever answer comes first. */
  const showItems = async () => {
    const own = (reading = readItems(service, wanted, byId('status').value));
    try {
      const { entries: items, hasMore } = await own;
      if (reading !== own) return;
      showEntries(items);
      byId('more').hidden = !hasMore;
    } finally {
      if (reading === own) reading = null;
    }
  };
  byId('status').addEventListener('change', ({ target }) => {
    const address = new URL(location.href);
    address.searchParams.set('status', target.value);
    if (target.value === '') address.searchParams.delete('status');
    history.replaceState(null, '', address);
    wanted = pageSize;
    void attempt(showItems);
  });
  byId('more').addEventListener('click', () => {
    wanted += pageSize;
    void attempt(showItems);
  });
  const showAll = async () => {
    const batch = await service.batch(id);
    showState(service, batch);
    await showItems();
    return batch;
  };
  offerDownloads(service);
  const { status } = await showAll();
  ready();
  if (ends.includes(status)) return;
  await service.watch(id, async (batch) => {
    showState(service, batch);
    // A list of several answers is read again once the batch has ended.
    if (reading === null && wanted <= longestAnswer) await showItems();
  });
  await showAll();
});

/** The first items in a state; '' for any. */
const readItems = (service, wanted, status) =>
  readFirst(wanted, (limit, last) =>
    service.items(id, {
      limit,
      ...(last && { after: last.custom_id }),
      ...(status && { status }),
    }),
  );

const entries = new Map();

/** Only what has changed is drawn anew: a link that has the focus keeps it. */
function showEntries(items) {
  const wanted = items.map((item) => {
    const text = JSON.stringify(item);
    const known = entries.get(item.index);
    if (known?.text === text) return known.entry;
    const entry = itemEntry(item);
    if (known?.entry.isConnected) known.entry.replaceWith(entry);
    entries.set(item.index, { text, entry });
    return entry;
  });
  const list = byId('items');
  if (wanted.length === 0) wanted.push(h('li', { class: 'quiet' }, 'None.'));
  const isSame = wanted.length === list.children.length;
  if (!isSame || wanted.some((entry, i) => list.children[i] !== entry)) {
    list.replaceChildren(...wanted);
  }
}

let shownState = '';

function showState(service, batch) {
  const text = JSON.stringify(batch);
  if (text === shownState) return;
  shownState = text;
  byId('title').textContent = batchName(batch);
  document.title = `${batchName(batch)} · Speech analysis`;
  const { task, model, options } = batch;
  const how = [task, model, `language ${options.language}`];
  if (options.channels === 'separate') how.push('one speaker per channel');
  else how.push(options.diarize ? 'speakers separated by voice' : 'speakers not separated');
  const facts = h('p', { class: 'quiet' }, `${how.join(' · ')} · started `, when(batch.created_at));
  if (batch.expires_at) facts.append(' · kept until ', when(batch.expires_at));
  byId('state').replaceChildren(
    h('p', { class: 'line' }, h('span', {}, countsLine(batch)), stateOf(batch)),
    // A bar that is full would say that a stopped batch is done.
    ...(ends.includes(batch.status) ? [] : [progressOf(batch), h('p', {}, estimateText(batch))]),
    facts,
    // Without a name it is the title.
    ...(batch.metadata.name ? [h('p', { class: 'quiet' }, h('code', {}, batch.id))] : []),
  );
  // A button that has the focus keeps it while the batch goes on.
  if (byId('actions').dataset.status === batch.status) return;
  byId('actions').dataset.status = batch.status;
  byId('actions').replaceChildren(...actionsOf(service, batch));
}

/** All results at once: as JSON lines, or a file for each recording in an archive. */
function offerDownloads(service) {
  byId('exports').addEventListener('click', ({ target }) => {
    const format = target.closest('button')?.dataset.format;
    if (!format) return;
    void attempt(async () => {
      const { request_counts: counts } = await service.batch(id);
      if (counts.completed === 0) throw new Error('No recording of this batch has a result.');
      if (format === 'jsonl') save(await service.results(id), `${id}.jsonl`);
      else save(await service.exportedAll(id, format), `${id}-${format}.zip`);
      byId('exports').open = false;
    });
  });
}

function actionsOf(service, batch) {
  const name = batchName(batch);
  const total = count(batch.request_counts.total, 'recording');
  const cancel = async () => {
    const question = {
      title: `Stop “${name}”?`,
      text: 'Recordings that are not done will not be analysed, and cost nothing.',
      action: 'Stop the batch',
    };
    if (await confirmLoss(question)) await service.cancel(id);
  };
  const remove = async () => {
    const question = {
      title: `Delete “${name}”?`,
      text: `The results and the audio of ${total} are deleted for good.`,
      action: 'Delete for good',
    };
    if (!(await confirmLoss(question))) return;
    await service.remove(id);
    location.assign(at('console/batches'));
  };
  const end = ends.includes(batch.status)
    ? button('Delete', () => attempt(remove), { class: 'danger' })
    : button('Stop', () => attempt(cancel), { class: 'danger' });
  return [end];
}

/** As it was charged: begun seconds are whole ones, and channels may count more than once. */
const lengthOf = ({ audio_seconds: seconds }) =>
  h('span', { class: 'quiet length', title: 'charged' }, lengthText(seconds));

function itemEntry(item) {
  const address = at(`console/recording?batch=${id}&item=${item.index}`);
  const isDone = item.status === 'completed';
  const name = isDone ? h('a', { href: address }, item.custom_id) : item.custom_id;
  const begun = itemProgress(item);
  const state = h(
    'span',
    { class: `state ${begun ? 'running' : item.status}` },
    begun ? 'running' : item.status,
  );
  const details = begun
    ? [
        h('progress', {
          max: 1,
          value: begun.share || null,
          'aria-label': `${item.custom_id} done`,
        }),
        h('span', { class: 'quiet' }, begun.text),
      ]
    : [];
  const error = item.error
    ? h('span', { class: 'error' }, `${item.error.message} (${item.error.code})`)
    : null;
  return h(
    'li',
    {},
    h('bdi', { class: 'name' }, name),
    details,
    isDone ? lengthOf(item) : null,
    state,
    error,
  );
}
