// The files of a drop, folders included.

/** Files whose names begin with a dot belong to the computer, not to the person. */
const isHidden = (name) => name.startsWith('.');

const names = new Intl.Collator('en', { numeric: true });

/**
 * By path: browsers list the files of a folder in the order of its file system.
 * @param {FileList} list chosen in a dialog
 */
export const visibleFiles = (list) =>
  [...list]
    .filter(({ name }) => !isHidden(name))
    .toSorted((a, b) => names.compare(pathOf(a), pathOf(b)));

const pathOf = ({ webkitRelativePath: path, name }) => path || name;

/**
 * @param {DataTransfer} transfer of the event, which is empty once its handler has returned: this
 *   is called within it
 * @returns {Promise<readonly File[]>} by path
 */
export async function droppedFiles({ items, files }) {
  const entries = [...items].map((item) => item.webkitGetAsEntry?.()).filter(Boolean);
  if (entries.length === 0) return visibleFiles(files);
  const found = await Promise.all(entries.map(filesOf));
  return found.flat();
}

async function filesOf(entry) {
  if (isHidden(entry.name)) return [];
  if (entry.isFile) return [await new Promise((resolve, reject) => entry.file(resolve, reject))];
  const reader = entry.createReader();
  const children = [];
  // A reader gives at most a hundred entries at a time, and none at the end.
  for (;;) {
    const more = await new Promise((resolve, reject) => reader.readEntries(resolve, reject));
    if (more.length === 0) break;
    children.push(...more);
  }
  children.sort((a, b) => names.compare(a.name, b.name));
  return (await Promise.all(children.map(filesOf))).flat();
}
