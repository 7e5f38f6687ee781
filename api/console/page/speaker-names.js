// The names of speakers as pages show them, and a dialog that asks for them.
import { button, h } from './dom.js';

const suggestions = ['agent', 'customer', 'supervisor'];
const maxLength = 40;
const sayingLength = 90;

/** @param {string} speaker as in a result, `speaker_0` */
const speakerNumber = (speaker) => Number(/\d+$/.exec(speaker)?.[0] ?? 0);

/** `Speaker 0` where nobody has given a name. */
export const readableName = (name) => name.replace('speaker_', 'Speaker\u00a0');

/**
 * '' for speech of nobody in particular: speakers were not separated.
 * @param {readonly string[]} names in the order of the speakers' numbers; may change later
 */
export const shownName = (names) => (speaker) =>
  speaker === null ? '' : readableName(names[speakerNumber(speaker)] ?? speaker);

/**
 * The speakers of a recording, of whom those with the same name are one.
 * @param {readonly object[]} segments
 * @param {readonly string[]} names in the order of the speakers' numbers; may change later
 */
export function speakersOf(segments, names) {
  const nameOf = shownName(names);
  const ids = [...new Set(segments.map(({ speaker }) => speaker))];
  ids.sort((a, b) => speakerNumber(a) - speakerNumber(b));
  const shown = () => [...new Set(ids.map(nameOf))];
  return {
    nameOf,
    /** Each name once. */
    shown,
    colourOf: (speaker) => `s${shown().indexOf(nameOf(speaker)) % 6}`,
  };
}

/** The first words of each speaker, by number. */
export function sayingsOf(segments, total) {
  return Array.from({ length: total }, (_, i) => {
    const first = segments.find(({ speaker, pieces }) => {
      return speakerNumber(speaker) === i && pieces.length > 0;
    });
    if (!first) return 'No words were understood.';
    const text = first.pieces.map((piece) => (typeof piece === 'string' ? piece : piece[0]));
    const said = text.join('').trim();
    return `“${said.slice(0, sayingLength)}${said.length > sayingLength ? '…' : ''}”`;
  });
}

const unnamed = (i) => `speaker_${i}`;

/**
 * @param {readonly string[]} names as they are
 * @param {readonly string[]} sayings something that each has said, by which one knows them
 * @returns a name for each speaker; null when it was closed without saving
 */
export function askForNames(names, sayings) {
  return new Promise((resolve) => {
    const inputs = names.map((name, i) => {
      const value = name === unnamed(i) ? '' : name;
      const hint = { placeholder: 'no name yet', 'aria-describedby': `saying-${i}` };
      return h('input', { value, maxlength: maxLength, list: 'roles-known', ...hint });
    });
    const form = h(
      'form',
      { method: 'dialog' },
      names.map((_, i) => [
        h('label', {}, `Speaker ${i}`, inputs[i]),
        h('p', { id: `saying-${i}`, class: 'quiet saying' }, sayings[i]),
      ]),
      h(
        'datalist',
        { id: 'roles-known' },
        suggestions.map((role) => h('option', { value: role })),
      ),
      h(
        'p',
        { class: 'actions' },
        h('button', { class: 'primary', value: 'save' }, 'Save'),
        button('Cancel', () => dialog.close('')),
      ),
    );
    const dialog = h(
      'dialog',
      { 'aria-labelledby': 'names-title' },
      h('h2', { id: 'names-title' }, 'Name the speakers'),
      h('p', { class: 'quiet' }, 'A name or a role, such as agent; two of the same become one.'),
      form,
    );
    dialog.addEventListener('close', () => {
      const isSaved = dialog.returnValue === 'save';
      resolve(isSaved ? inputs.map(({ value }, i) => value.trim() || unnamed(i)) : null);
      dialog.remove();
    });
    document.body.append(dialog);
    dialog.showModal();
  });
}
