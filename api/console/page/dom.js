// Elements and texts of the pages; text is always set as text, never as markup.

export const byId = (id) => document.getElementById(id);
const root = document.documentElement.dataset.root;

/** An address of the service, relative to the page. */
export const at = (path) => root + path;

/**
 * @param {string} tag
 * @param {Record<string, any>} properties listeners by `onclick` and the like, else attributes;
 *   false and null leave one out
 */
export function h(tag, properties = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name.startsWith('on')) made.addEventListener(name.slice(2), value);
    else if (value !== false && value !== null && value !== undefined) {
      made.setAttribute(name, value === true ? '' : String(value));
    }
  }
  made.append(...children.flat(2).filter((child) => child !== null && child !== undefined));
  return made;
}

const svgNames = 'http://www.w3.org/2000/svg';

export function svg(tag, attributes = {}, ...children) {
  const made = document.createElementNS(svgNames, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value));
  made.append(...children);
  return made;
}

/** A bar beside a number that says the same. */
export function shareBar(share) {
  const bar = h('span', { class: 'bar-of' });
  bar.style.width = `${100 * share}%`;
  return h('span', { class: 'bar-track', 'aria-hidden': 'true' }, bar);
}

export function button(label, act, properties = {}) {
  return h('button', { type: 'button', onclick: act, ...properties }, label);
}

/** A moment: m:ss, with hours where there are any. */
export function clock(seconds) {
  const whole = Math.max(0, Math.floor(seconds));
  const [hours, minutes] = [Math.floor(whole / 3_600), Math.floor(whole / 60) % 60];
  const rest = String(whole % 60).padStart(2, '0');
  return hours === 0
    ? `${minutes}:${rest}`
    : `${hours}:${String(minutes).padStart(2, '0')}:${rest}`;
}

/** A length, which is rounded, as a moment is not: `1:06`, or `0.8 s`. */
export function lengthText(seconds) {
  const tenths = Math.round(seconds * 10) / 10;
  return tenths > 0 && tenths < 1 ? `${tenths}\u00a0s` : clock(Math.round(seconds));
}

export const count = (number, one, many = `${one}s`) =>
  `${number.toLocaleString('en')} ${number === 1 ? one : many}`;

/** @param seconds Unix */
export function when(seconds) {
  const options = { dateStyle: 'medium', timeStyle: 'short' };
  const date = new Date(seconds * 1_000);
  return h('time', { datetime: date.toISOString() }, date.toLocaleString('en', options));
}

export function minutesText(minutes) {
  const whole = minutes < 10 ? Math.round(minutes * 10) / 10 : Math.round(minutes);
  return `${whole.toLocaleString('en')} min`;
}

/** A label's score; `(?)` where the label says little, as in the report. */
export const scoreText = (score) =>
  isUnsureScore(score) ? `${score.toFixed(2)}(?)` : score.toFixed(2);
export const isUnsureScore = (score) => Number(score.toFixed(2)) < 0.5;

const languageNames = new Intl.DisplayNames('en', { type: 'language' });
export const languageName = (code) => (code ? languageNames.of(code) : 'not known');

/** A recording without a word has the language in which it was read; some tasks read none. */
export const spokenText = (language, words) =>
  words === 0 ? (language ? 'no speech' : 'no words') : languageName(language);

const shownMs = 8_000;
let hiding = 0;
let errorsSaid = 0;

/** Over the page, so that it is seen wherever one has scrolled to; errors stay until a success. */
export function say(text, isError = false) {
  if (isError) errorsSaid += 1;
  const message = byId('message');
  message.textContent = text;
  message.classList.toggle('error', isError);
  clearTimeout(hiding);
  if (!isError && text !== '') hiding = setTimeout(() => say(''), shownMs);
}

/** Runs an action of the page and shows its error; a success takes away what was said before it. */
export async function attempt(work) {
  const before = errorsSaid;
  try {
    await work();
    if (errorsSaid === before && byId('message').classList.contains('error')) say('');
  } catch (error) {
    say(error.message, true);
  }
}

export function save(blob, name) {
  const link = h('a', { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1_000);
}

/**
 * Asks before something is lost; Escape and the first button leave everything as it is.
 * @returns whether it was confirmed
 */
export function confirmLoss({ title, text, action }) {
  return new Promise((resolve) => {
    const dialog = h(
      'dialog',
      { 'aria-labelledby': 'dialog-title' },
      h('h2', { id: 'dialog-title' }, title),
      h('p', {}, text),
      h(
        'p',
        { class: 'actions' },
        button('Keep', () => dialog.close('')),
        button(action, () => dialog.close('yes'), { class: 'danger' }),
      ),
    );
    dialog.addEventListener('close', () => {
      resolve(dialog.returnValue === 'yes');
      dialog.remove();
    });
    document.body.append(dialog);
    dialog.showModal();
  });
}
