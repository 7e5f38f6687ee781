// The console: sends recordings, shows their progress and reports, and lists batches.
import { createService } from './service.js';
import {
  batchRow,
  itemEntry,
  say,
  showBatches,
  showLanguages,
  showMenu,
  showProgress,
  showRejected,
  showReport,
} from './views.js';

const element = (id) => document.getElementById(id);
const keyInput = element('key');
// Kept for this tab only, so that the key is not stored on the machine.
keyInput.value = sessionStorage.getItem('key') ?? '';
const service = createService(() => keyInput.value.trim());
const { tasks, models, formats, languages } = await service.choices();
showMenu('task', tasks, 'analysis');
showMenu('model', models, models[0]);
showLanguages(languages);
/** Recordings of this visit by batch and index, for the player. */
const recordings = new Map();

const keyMissing =
  'Enter an API key above. `npm start` prints one; an operator creates more by ' +
  '`svc admin key create`.';

function askForKey() {
  say(keyMissing);
}

const ends = ['completed', 'failed', 'cancelled'];

/** Shows the error of an action. */
async function attempt(work) {
  try {
    await work();
  } catch (error) {
    showProgress(null);
    say(error.message, true);
  }
}

/** Sends what the service accepts; a file that it rejects is listed and stops no other. */
async function send(files) {
  if (files.length === 0) return;
  if (keyInput.value.trim() === '') throw new Error(keyMissing);
  const uploaded = [];
  const rejected = [];
  showRejected(rejected);
  for (const [i, file] of files.entries()) {
    say(`Uploading ${file.name} (${i + 1} of ${files.length})`);
    try {
      uploaded.push({ file, id: (await service.upload(file)).id });
    } catch (error) {
      rejected.push({ name: file.name, reason: error.message });
      showRejected(rejected);
    }
  }
  if (uploaded.length === 0) throw new Error('No file was accepted.');
  const accepted = uploaded.map(({ file }) => file);
  const batch = await service.start({
    ...chosenOptions(),
    items: uploaded.map(({ id }, i) => ({ custom_id: nameOf(accepted, i), file_id: id })),
    metadata: { name: titleOf(accepted) },
  });
  accepted.forEach((file, i) => recordings.set(`${batch.id} ${i}`, file));
  await follow(batch);
  if (accepted.length === 1) await open(batch.id, { index: 0, custom_id: accepted[0].name });
  else await list(batch.id);
}

/** Task, model and options of a batch, as the form has them. */
function chosenOptions() {
  const speakers = element('speakers').value;
  const roles = element('roles')
    .value.split(',')
    .map((role) => role.trim())
    .filter((role) => role !== '');
  return {
    task: element('task').value,
    model: element('model').value,
    options: {
      language: element('language').value,
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
  return (others.length === 0 ? first.name : `${first.name} and ${others.length} more`).slice(
    0,
    200,
  );
}

/** Numbered when there are several, because two files may have the same name. */
function nameOf(files, i) {
  return files.length === 1 ? files[i].name : `${i + 1} ${files[i].name}`;
}

async function follow(batch) {
  showProgress(batch);
  await service.watch(batch.id, showProgress);
  await refresh();
}

/** Batches that are listed, newest first. */
let listed = [];

async function refresh() {
  listed = [];
  await showMore();
}

async function showMore() {
  const { data, has_more } = await service.batches(listed.at(-1)?.id ?? null);
  listed = [...listed, ...data];
  showBatches(listed.map(rowOf), has_more);
}

function rowOf(batch) {
  const remove = async () => {
    const what = `Delete the results of “${batch.metadata.name ?? batch.id}” for good?`;
    if (!confirm(what)) return;
    await service.remove(batch.id);
    await refresh();
  };
  return batchRow(batch, {
    open: () => attempt(() => list(batch.id)),
    download: () => attempt(async () => save(await service.results(batch.id), `${batch.id}.jsonl`)),
    ...(ends.includes(batch.status)
      ? { remove: () => attempt(remove) }
      : { cancel: () => attempt(() => service.cancel(batch.id).then(follow)) }),
  });
}

async function list(id) {
  const { data } = await service.items(id);
  element('items').hidden = false;
  element('items-name').textContent = id;
  element('item-list').replaceChildren(
    ...data.map((item) => itemEntry(item, () => attempt(() => open(id, item)))),
  );
}

async function open(id, item) {
  const report = await service.exported(id, item.index, 'html');
  await showReport({
    name: item.custom_id,
    html: await report.text(),
    // The report is shown on the page, so it needs no download button.
    formats: formats.filter((format) => format !== 'html'),
    recording: recordings.get(`${id} ${item.index}`) ?? null,
    save: (format) =>
      attempt(async () => {
        save(await service.exported(id, item.index, format), `${item.custom_id}.${format}`);
      }),
  });
}

function save(blob, name) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1_000);
}

keyInput.addEventListener('change', () => {
  sessionStorage.setItem('key', keyInput.value.trim());
  say('');
  void attempt(keyInput.value.trim() === '' ? askForKey : refresh);
});
element('more').addEventListener('click', () => void attempt(showMore));
element('speakers').addEventListener('change', ({ target }) => {
  element('roles-label').hidden = target.value !== 'separate';
});
element('refresh').addEventListener('click', () => void attempt(refresh));
element('files').addEventListener('change', ({ target }) => {
  void attempt(() => send([...target.files]));
});
const drop = element('drop');
for (const name of ['dragover', 'dragleave', 'drop']) {
  drop.addEventListener(name, (event) => {
    event.preventDefault();
    drop.classList.toggle('over', name === 'dragover');
    if (name === 'drop') void attempt(() => send([...event.dataTransfer.files]));
  });
}
void attempt(keyInput.value === '' ? askForKey : refresh);
