// Dropped files: each is uploaded with its progress, rejected files stop no other, and those that
// were accepted become one batch, whose items are followed in the same list. The newest drop is on
// top, and the line above the list tells of it; those before it go on below.
import { at, attempt, byId, count, say } from './dom.js';
import { countsText, estimateText, itemProgress } from './batch-list.js';
import { distinctNames, droppedFiles, titleOf, visibleFiles } from './dropped-files.js';
import { newKey } from './service.js';
import { createRow } from './upload-row.js';

/** Of all drops together: a browser has six connections to a service over HTTP/1.1. */
const uploadsAtOnce = 4;
const pageSize = 1_000;
const mostFiles = 10_000;

/** @param changed called when a batch has been started or has ended */
export function offerUploads(service, { changed }) {
  const start = (files) => attempt(async () => sendAll(service, await files, changed));
  for (const id of ['files', 'folder']) {
    byId(id).addEventListener('change', ({ target }) => {
      const files = visibleFiles(target.files);
      // The same file may be chosen again.
      target.value = '';
      void start(files);
    });
  }
  const drop = byId('drop');
  for (const name of ['dragover', 'dragleave', 'drop']) {
    drop.addEventListener(name, (event) => {
      event.preventDefault();
      drop.classList.toggle('over', name === 'dragover');
      if (name === 'drop') void start(droppedFiles(event.dataTransfer));
    });
  }
  byId('speakers').addEventListener('change', ({ target }) => {
    byId('roles-label').hidden = target.value !== 'separate';
  });
  byId('problems').addEventListener('change', ({ target }) => {
    byId('upload-list').classList.toggle('problems-only', target.checked);
  });
}

async function sendAll(service, files, changed) {
  if (files.length === 0) return;
  if (files.length > mostFiles) {
    const [most, given] = [mostFiles, files.length].map((number) => number.toLocaleString('en'));
    throw new Error(`A batch takes at most ${most} files, and these are ${given}.`);
  }
  say('');
  const order = chosenOptions();
  const names = distinctNames(files.map(({ path }) => path));
  const rows = files.map(({ file, path }, i) => createRow(file, { name: names[i], path }));
  byId('uploads').hidden = false;
  byId('upload-list').prepend(...rows.map(({ entry }) => entry));
  byId('upload-list').scrollTop = 0;
  byId('uploads').scrollIntoView({ block: 'nearest' });
  const tell = startTelling();
  const { batch, accepted } = await staying(() => sendAndStart(service, { rows, order, tell }));
  for (const row of accepted) row.show('waiting for its turn');
  await changed();
  const problems = rows.length - accepted.length;
  await follow(service, batch, { rows: accepted, problems, tell });
  await changed();
}

/** What has been accepted becomes one batch, with the name of that. */
async function sendAndStart(service, { rows, order, tell }) {
  const uploaded = await uploadAll(service, rows, tell);
  const accepted = rows.filter((row) => uploaded.has(row));
  if (accepted.length === 0) throw new Error('No file was accepted; the list says why.');
  const items = accepted.map((row) => ({ custom_id: row.name, file_id: uploaded.get(row) }));
  const metadata = { name: titleOf(accepted.map(({ path }) => path)) };
  try {
    return { accepted, batch: await service.start({ ...order, items, metadata }, newKey()) };
  } catch (error) {
    for (const row of accepted) row.fail('sent, but not analysed: no batch was started');
    throw error;
  }
}

/**
 * Until it is done the browser asks before the page is left: what is not sent would be lost, and
 * what is sent would be in no batch.
 */
async function staying(work) {
  const ask = (event) => event.preventDefault();
  window.addEventListener('beforeunload', ask);
  try {
    return await work();
  } finally {
    window.removeEventListener('beforeunload', ask);
  }
}

let sending = 0;
const turns = [];

async function inTurn(work) {
  if (sending === uploadsAtOnce) await new Promise((resolve) => turns.push(resolve));
  else sending += 1;
  try {
    return await work();
  } finally {
    // The turn goes to whoever has waited longest.
    if (turns.length > 0) turns.shift()();
    else sending -= 1;
  }
}

/** @returns ids of accepted files by their rows */
async function uploadAll(service, rows, tell) {
  const ids = new Map();
  let done = 0;
  const waiting = [...rows];
  const summary = () =>
    tell(`Sending: ${done} of ${count(rows.length, 'file')}`, done / rows.length);
  summary();
  const work = async () => {
    for (let row = waiting.shift(); row; row = waiting.shift()) {
      try {
        const { id } = await inTurn(() => service.upload(row.file, row.sent, row.pausing));
        ids.set(row, id);
        row.show('sent');
      } catch (error) {
        row.fail(error.message);
        // Without a key no other file would be accepted.
        if (error.status === 401) throw error;
      }
      done += 1;
      summary();
    }
  };
  try {
    await Promise.all(Array.from({ length: uploadsAtOnce }, work));
  } finally {
    waiting.length = 0;
  }
  return ids;
}

async function follow(service, batch, { rows, problems, tell }) {
  const show = async (now) => {
    const { progress, request_counts: counts } = now;
    const rejected = problems > 0 ? `, ${problems} not accepted` : '';
    // Of all that were dropped, as they are listed.
    const done = countsText({ ...counts, total: counts.total + problems });
    const text = `${done}${rejected}. ${estimateText(now)}`.trim();
    tell(text, progress === 0 ? null : progress);
    await showItems(service, now.id, rows);
  };
  await service.watch(batch.id, show);
}

async function showItems(service, id, rows) {
  let after;
  for (let more = true; more;) {
    const page = await service.items(id, { limit: pageSize, ...(after && { after }) });
    for (const item of page.data) showItem(rows[item.index], id, item);
    [after, more] = [page.last_id, page.has_more];
  }
}

function showItem(row, id, item) {
  const begun = itemProgress(item);
  const { status, index } = item;
  if (status === 'completed') row.open(at(`console/recording?batch=${id}&item=${index}`));
  else if (status === 'failed') row.fail(item.error.message);
  else if (status === 'cancelled') row.show('cancelled');
  else if (begun) row.analysed(begun.share, begun.text);
  else if (status === 'running') row.analysed(0, 'being analysed');
}

let drops = 0;

/**
 * Two drops that are followed at once would write the same line in turn.
 * @returns {(text: string, share: number | null) => void} tells of the drop until another comes;
 *   share 0-1, null while nothing can be counted
 */
function startTelling() {
  const own = (drops += 1);
  return (text, share) => {
    if (drops !== own) return;
    byId('upload-summary').textContent = text;
    const bar = byId('upload-progress');
    if (share === null) bar.removeAttribute('value');
    else bar.value = share;
  };
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
