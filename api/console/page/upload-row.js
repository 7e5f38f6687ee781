// An entry of the list of uploads, and the ways in which it changes.
import { h } from './dom.js';

/**
 * @param {File} file
 * @param {{ name: string, path: string }} place the name by which it is told from the others, and
 *   where it was dropped from
 */
export function createRow(file, { name: shownName, path }) {
  const state = h('span', { class: 'quiet' }, 'waiting');
  const bar = h('progress', { max: 1, value: 0, 'aria-label': `Progress of ${shownName}` });
  const name = h('bdi', { class: 'name' }, shownName);
  const size = h('span', { class: 'quiet length' }, sizeText(file.size));
  const entry = h('li', {}, name, size, bar, state);
  const show = (text) => {
    bar.remove();
    state.textContent = text;
  };
  return {
    file,
    name: shownName,
    path,
    entry,
    show,
    /** @param share of the upload, 0-1 */
    sent(share) {
      bar.value = share;
      state.textContent = share < 1 ? `sending, ${Math.round(100 * share)} %` : 'being checked';
    },
    /** @param seconds until it is sent again */
    pausing(seconds) {
      bar.value = 0;
      state.textContent = `the service did not take it; sent again in ${Math.ceil(seconds)} s`;
    },
    /** @param share of the analysis, 0-1; 0 while it is not known */
    analysed(share, text) {
      if (share > 0) bar.value = share;
      else bar.removeAttribute('value');
      if (!bar.isConnected) state.before(bar);
      state.textContent = text;
    },
    fail(reason) {
      show(reason);
      state.className = 'error';
      entry.classList.add('problem');
    },
    open(address) {
      show('done');
      if (!name.querySelector('a')) name.replaceChildren(h('a', { href: address }, shownName));
    },
  };
}

function sizeText(bytes) {
  return bytes < 1e6 ? `${Math.ceil(bytes / 1e3)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}
