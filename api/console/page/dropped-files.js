// The files of a drop, folders included: each with its path below what was dropped or chosen.

/** Files and folders whose names begin with a dot belong to the computer, not to the person. */
const isHidden = (path) => path.split('/').some((name) => name.startsWith('.'));

const names = new Intl.Collator('en', { numeric: true });

/**
 * By path: browsers list the files of a folder in the order of its file system.
 * @param {FileList} list chosen in a dialog
 * @returns {readonly { file: File, path: string }[]} `folder/call.wav`, or `call.wav` alone
 */
export const visibleFiles = (list) =>
  [...list]
    .map((file) => ({ file, path: file.webkitRelativePath || file.name }))
    .filter(({ path }) => !isHidden(path))
    .toSorted((a, b) => names.compare(a.path, b.path));

/**
 * @param {DataTransfer} transfer of the event, which is empty once its handler has returned: this
 *   is called within it
 * @returns {Promise<readonly { file: File, path: string }[]>} by path
 */
export async function droppedFiles({ items, files }) {
  const entries = [...items].map((item) => item.webkitGetAsEntry?.()).filter(Boolean);
  if (entries.length === 0) return visibleFiles(files);
  const found = await Promise.all(entries.map(filesOf));
  return found.flat();
}

async function filesOf(entry) {
  if (isHidden(entry.name)) return [];
  if (entry.isFile) {
    const file = await new Promise((resolve, reject) => entry.file(resolve, reject));
    return [{ file, path: entry.fullPath.slice(1) }];
  }
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

const longestName = 128;
/** Of a long name, whose end often tells it from others; with the ending of the file. */
const endLength = 40;

/**
 * The name of each file; its path where several have the same, and a number where that is no help.
 * @param {readonly string[]} paths
 */
export function distinctNames(paths) {
  const short = paths.map((path) => path.split('/').at(-1));
  const times = countOf(short);
  const named = paths.map((path, i) => (times.get(short[i]) > 1 ? path : short[i]));
  const again = countOf(named.map(cut));
  return named.map((name, i) => cut(again.get(cut(name)) > 1 ? `${i + 1} ${name}` : name));
}

/** A batch takes no control characters, and no half of a character. */
const cut = (name) => shorten(name.replaceAll(/\p{Cc}/gu, '_')).toWellFormed();

function shorten(name) {
  if (name.length <= longestName) return name;
  const begin = name.slice(0, longestName - endLength - 1).replace(/[\uD800-\uDBFF]$/, '');
  return `${begin}…${name.slice(-endLength).replace(/^[\uDC00-\uDFFF]/, '')}`;
}

function countOf(all) {
  const times = new Map();
  for (const each of all) times.set(each, (times.get(each) ?? 0) + 1);
  return times;
}

/** `calls` for a folder, `call.wav`, or `call.wav and 3 more`. */
export function titleOf(paths) {
  const folders = new Set(paths.map((path) => path.split('/').slice(0, -1)[0]));
  const [folder] = folders;
  const first = paths[0].split('/').at(-1);
  const others = paths.length === 1 ? first : `${first} and ${paths.length - 1} more`;
  return (folders.size === 1 && folder ? folder : others).slice(0, 200);
}
