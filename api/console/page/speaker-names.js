// The names of speakers as pages show them, and a dialog that asks for them.
import { button, h } from './dom.js';

const suggestions = ['agent', 'customer', 'supervisor'];
const maxLength = 40;

/** @param {string} speaker as in a result, `speaker_0` */
export const speakerNumber = (speaker) => Number(/\d+$/.exec(speaker)?.[0] ?? 0);

/** @param {readonly string[]} names in the order of the speakers' numbers; may change later */
export const shownName = (names) => (speaker) =>
  (names[speakerNumber(speaker)] ?? speaker).replace('speaker_', 'Speaker ');

/** @returns a name for each speaker; null when it was closed without saving */
export function askForNames(names) {
  return new Promise((resolve) => {
    const inputs = names.map((name) =>
      h('input', { value: name, maxlength: maxLength, required: true, list: 'roles-known' }),
    );
    const form = h(
      'form',
      { method: 'dialog' },
      names.map((name, i) => h('label', {}, `Speaker ${i}`, inputs[i])),
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
      resolve(isSaved ? inputs.map(({ value }) => value.trim()) : null);
      dialog.remove();
    });
    document.body.append(dialog);
    dialog.showModal();
  });
}
