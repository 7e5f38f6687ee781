// What the console shows; text is always set as text, never as markup.

const element = (id) => document.getElementById(id);

/** Fills a menu with names. @param first the one that is selected */
export function showMenu(id, names, first) {
  const options = names.map((name) => new Option(name, name, name === first, name === first));
  element(id).replaceChildren(...options);
}

/**
 * Fills the menu of languages with their English names.
 * @param codes the first requests detection
 */
export function showLanguages(codes) {
  const names = new Intl.DisplayNames('en', { type: 'language' });
  const [automatic, ...spoken] = codes;
  const named = spoken
    .map((code) => ({ code, name: names.of(code) }))
    .sort((a, b) => a.name.localeCompare(b.name));
  element('language').replaceChildren(
    new Option('detect automatically', automatic),
    ...named.map(({ code, name }) => new Option(name, code)),
  );
}

export function say(text, isError = false) {
  const message = element('message');
  message.textContent = text;
  message.classList.toggle('error', isError);
}

/** Files that the service did not accept, each with its reason. */
export function showRejected(files) {
  element('rejected').replaceChildren(
    ...files.map(({ name, reason }) => {
      const entry = document.createElement('li');
      entry.textContent = `${name}: ${reason}`;
      return entry;
    }),
  );
}

/** @param batch null when no batch is in progress */
export function showProgress(batch) {
  const bar = element('progress');
  bar.hidden = batch === null;
  if (batch === null) return;
  const { total, completed, failed, cancelled } = batch.request_counts;
  bar.max = total;
  // Without a value the bar moves: a single recording has no progress that could be counted.
  if (total === 1 && completed + failed + cancelled === 0) bar.removeAttribute('value');
  else bar.value = completed + failed + cancelled;
  const parts = [`${batch.status}: ${completed} of ${total} done`];
  if (failed > 0) parts.push(`${failed} failed`);
  if (cancelled > 0) parts.push(`${cancelled} cancelled`);
  const { left } = batch.audio_seconds;
  if (left) parts.push(`about ${clock(left)} of audio left`);
  say(parts.join(', '));
}

/** What the list shows: the table with rows, or a word that there are none. */
export function showBatches(rows, hasMore) {
  element('batches').replaceChildren(...rows);
  element('batch-table').hidden = rows.length === 0;
  element('no-batches').hidden = rows.length > 0;
  element('more').hidden = !hasMore;
}

/** A row of the list of batches. @param actions by name; each a function */
export function batchRow(batch, { open, ...actions }) {
  const { total, completed, failed } = batch.request_counts;
  const name = button(batch.metadata.name ?? batch.id, open);
  name.title = batch.id;
  const cells = [
    name,
    batch.status,
    `${completed} of ${total}${failed > 0 ? `, ${failed} failed` : ''}`,
    clock(batch.audio_seconds.done),
    new Date(batch.created_at * 1_000).toLocaleString(),
  ];
  const row = document.createElement('tr');
  row.id = batch.id;
  for (const cell of cells) row.append(tableCell(cell));
  row.append(tableCell(...Object.entries(actions).map(([label, act]) => button(label, act))));
  return row;
}

/** An entry of the list of items. */
export function itemEntry(item, open) {
  const entry = document.createElement('li');
  const label = item.status === 'completed' ? button(item.custom_id, open) : item.custom_id;
  const why = item.error ? `: ${item.error.code}, ${item.error.message}` : '';
  entry.append(label, item.status === 'completed' ? '' : ` — ${item.status}${why}`);
  return entry;
}

/** Report, exports and, for a recording of this visit, the player. */
export async function showReport({ name, html, recording, formats, save }) {
  element('result').hidden = false;
  element('result-name').textContent = name;
  // Sandboxed without permissions, because the report contains transcripts of callers.
  element('report').srcdoc = html;
  element('exports').replaceChildren(
    ...formats.map((format) => button(format, () => save(format))),
  );
  const player = element('player');
  URL.revokeObjectURL(player.src);
  player.hidden = recording === null;
  if (recording) player.src = URL.createObjectURL(recording);
  else player.removeAttribute('src');
}

function tableCell(...content) {
  const cell = document.createElement('td');
  cell.append(...content);
  return cell;
}

function button(label, act) {
  const made = document.createElement('button');
  made.type = 'button';
  made.textContent = label;
  made.addEventListener('click', act);
  return made;
}

function clock(seconds) {
  const minutes = Math.floor(seconds / 60);
  return `${minutes}:${String(Math.floor(seconds % 60)).padStart(2, '0')}`;
}
