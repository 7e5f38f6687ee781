// A dialog that asks for the names of the speakers.
import { button, h } from './dom.js';

const suggestions = ['agent', 'customer', 'supervisor'];
const maxLength = 40;

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
