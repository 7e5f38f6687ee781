// The console: sends recordings, shows their progress and reports, and lists batches.
import { createService } from './service.js';
import {
  batchRow,
  itemEntry,
  say,
  showLanguages,
  showProgress,
  showReport,
  showTasks,
} from './views.js';

const element = (id) => document.getElementById(id);
const keyInput = element('key');
// Kept for this tab only, so that the key is not stored on the machine.
keyInput.value = sessionStorage.getItem('key') ?? '';
const service = createService(() => keyInput.value.trim());
const { tasks, formats, languages } = await service.choices();
showTasks(tasks, 'analysis');
showLanguages(languages);
/** Recordings of this visit by batch and index, for the player. */
const recordings = new Map();

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

async function send(files) {
  if (files.length === 0) return;
  const uploaded = [];
  for (const [i, file] of files.entries()) {
    say(`Uploading ${file.name} (${i + 1} of ${files.length})`);
    uploaded.push(await service.upload(file));
  }
  const speakers = element('speakers').value;
  const order = {
    task: element('task').value,
    options: {
      language: element('language').value,
      ...(speakers === 'diarize' && { diarize: true }),
      ...(speakers === 'separate' && { channels: 'separate' }),
    },
    items: uploaded.map(({ id }, i) => ({ custom_id: nameOf(files, i), file_id: id })),
  };
  const batch = await service.start(order);
  files.forEach((file, i) => recordings.set(`${batch.id} ${i}`, file));
  await follow(batch);
  if (files.length === 1) await open(batch.id, { index: 0, custom_id: files[0].name });
  else await list(batch.id);
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

async function refresh() {
  const { data } = await service.batches();
  element('batches').replaceChildren(
    ...data.map((batch) =>
      batchRow(batch, {
        open: () => attempt(() => list(batch.id)),
        download: () =>
          attempt(async () => save(await service.results(batch.id), `${batch.id}.jsonl`)),
        ...(ends.includes(batch.status)
          ? { remove: () => attempt(() => service.remove(batch.id).then(refresh)) }
          : { cancel: () => attempt(() => service.cancel(batch.id).then(follow)) }),
      }),
    ),
  );
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
  void attempt(refresh);
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
if (keyInput.value !== '') void attempt(refresh);
