// Dropped files: each is uploaded with its progress, rejected files stop no other, and those that
// were accepted become one batch, whose items are followed in the same list.
import { at, attempt, byId, count, h, say } from './dom.js';
import { countsText, estimateText } from './batch-list.js';

const uploadsAtOnce = 3;

/** @param changed called when a batch has been started or has ended */
export function offerUploads(service, { changed }) {
  const start = (files) => attempt(() => sendAll(service, [...files], changed));
  byId('files').addEventListener('change', ({ target }) => {
    void start(target.files).then(() => (target.value = ''));
  });
  const drop = byId('drop');
  for (const name of ['dragover', 'dragleave', 'drop']) {
    drop.addEventListener(name, (event) => {
      event.preventDefault();
      drop.classList.toggle('over', name === 'dragover');
      if (name === 'drop') void start(event.dataTransfer.files);
    });
  }
  byId('speakers').addEventListener('change', ({ target }) => {
    byId('roles-label').hidden = target.value !== 'separate';
  });
}

async function sendAll(service, files, changed) {
  if (files.length === 0) return;
  say('');
  const order = chosenOptions();
  const rows = files.map((file) => createRow(file));
  byId('uploads').hidden = false;
  byId('upload-list').replaceChildren(...rows.map(({ entry }) => entry));
  const uploaded = await uploadAll(service, rows);
  const accepted = rows.filter((row) => uploaded.has(row));
  if (accepted.length === 0) throw new Error('No file was accepted; the list says why.');
  const batch = await service.start({
    ...order,
    items: accepted.map((row, i) => {
      return { custom_id: nameOf(accepted, i), file_id: uploaded.get(row) };
    }),
    metadata: { name: titleOf(accepted.map(({ file }) => file)) },
  });
  for (const row of accepted) row.show('waiting for its turn');
  await changed();
  await follow(service, batch, accepted);
  await changed();
}

/** @returns ids of accepted files by their rows */
async function uploadAll(service, rows) {
  const ids = new Map();
  let done = 0;
  const waiting = [...rows];
  const summary = () => {
    showSummary(`Uploading: ${done} of ${count(rows.length, 'file')}`, done / rows.length);
  };
  summary();
  const work = async () => {
    for (let row = waiting.shift(); row; row = waiting.shift()) {
      try {
        const { id } = await service.upload(row.file, row.progress);
        ids.set(row, id);
        row.show('uploaded');
      } catch (error) {
        row.fail(error.message);
      }
      done += 1;
      summary();
    }
  };
  await Promise.all(Array.from({ length: uploadsAtOnce }, work));
  return ids;
}

async function follow(service, batch, rows) {
  const show = async (now) => {
    const { completed, failed, cancelled, total } = now.request_counts;
    const done = completed + failed + cancelled;
    const text = `${countsText(now.request_counts)}. ${estimateText(now)}`;
    showSummary(text, done === 0 ? null : done / total);
    await showItems(service, now.id, rows);
  };
  await show(batch);
  await service.watch(batch.id, show);
  await show(await service.batch(batch.id));
}

/** At most 1,000 rows are followed one by one; the summary counts all. */
async function showItems(service, id, rows) {
  const { data } = await service.items(id, { limit: 1_000 });
  for (const item of data) {
    const row = rows[item.index];
    if (item.status === 'completed')
      row.open(at(`console/recording?batch=${id}&item=${item.index}`));
    else if (item.status === 'failed') row.fail(item.error.message);
    else if (item.status === 'running') row.show('being analysed');
    else if (item.status === 'cancelled') row.show('cancelled');
  }
}

/** @param share 0-1; null while nothing can be counted */
function showSummary(text, share) {
  byId('upload-summary').textContent = text;
  const bar = byId('upload-progress');
  if (share === null) bar.removeAttribute('value');
  else bar.value = share;
}

/** An entry of the list, and the ways in which it changes. */
function createRow(file) {
  const state = h('span', { class: 'quiet' }, 'waiting');
  const bar = h('progress', { max: 1, value: 0, 'aria-label': `Upload of ${file.name}` });
  const name = h('span', { class: 'name' }, file.name);
  const size = h('span', { class: 'quiet' }, sizeText(file.size));
  const entry = h('li', {}, name, size, bar, state);
  const show = (text) => {
    bar.remove();
    state.textContent = text;
  };
  return {
    file,
    entry,
    show,
    progress(share) {
      bar.value = share;
      state.textContent = share < 1 ? `${Math.round(100 * share)} %` : 'being checked';
    },
    fail(reason) {
      show(reason);
      state.className = 'error';
    },
    open(address) {
      show('done');
      name.replaceChildren(h('a', { href: address }, file.name));
    },
  };
}

function sizeText(bytes) {
  return bytes < 1e6
    ? `${Math.max(1, Math.round(bytes / 1e3))} kB`
    : `${(bytes / 1e6).toFixed(1)} MB`;
}

/** Task, model and options of a batch, as the form has them. */
function chosenOptions() {
  const speakers = byId('speakers').value;
  const roles = byId('roles')
    .value.split(',')
    .map((role) => role.trim())
    .filter((role) => role !== '');
  return {
    task: byId('task').value,
    model: byId('model').value,
    options: {
      language: byId('language').value,
      ...(byId('digits').checked && { format_numbers: true }),
      ...(speakers === 'diarize' && { diarize: true }),
      ...(speakers === 'separate' && {
        channels: 'separate',
        ...(roles.length > 0 && { channel_roles: roles }),
      }),
    },
  };
}

/** `call.wav`, or `call.wav and 3 more`. */
function titleOf([first, ...others]) {
  const name = others.length === 0 ? first.name : `${first.name} and ${others.length} more`;
  return name.slice(0, 200);
}

/** Numbered where several files have the same name. */
function nameOf(rows, i) {
  const { name } = rows[i].file;
  const isShared = rows.some((row, other) => other !== i && row.file.name === name);
  return (isShared ? `${i + 1} ${name}` : name).slice(0, 128);
}
