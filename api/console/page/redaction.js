// The box that hides what can be found by form, and silences it while it plays.
import { attempt, byId, count } from './dom.js';

/**
 * The view is part of the address, so that a link to the redacted one never shows the other.
 * @param {object} first the result that is shown already
 * @param {object} options
 * @param {boolean} options.isRedacted whether that is its redacted view
 * @param {(view: 'whole' | 'redacted') => Promise<object>} options.read
 * @param {(result: object) => void} options.show
 * @param {(stretches: readonly object[]) => void} options.silence
 * @returns {() => object} the result as it is shown
 */
export function offerRedaction(first, { isRedacted, read, show, silence }) {
  const box = byId('redacted');
  let shown = { result: first, isRedacted };
  let reading = null;
  const showHidden = () => {
    const { removed } = shown.result;
    silence(shown.isRedacted ? removed : []);
    byId('redacted-note').textContent = shown.isRedacted
      ? `${count(removed.length, 'passage')} hidden and silenced. Downloads are not redacted.`
      : '';
  };
  /** What was asked for last is shown, whichever answer comes first. */
  const showAsked = async () => {
    const isAsked = box.checked;
    const view = isAsked ? 'redacted' : 'whole';
    const own = (reading = read(view));
    try {
      const result = await own;
      if (reading !== own) return;
      shown = { result, isRedacted: isAsked };
    } catch (error) {
      if (reading !== own) return;
      box.checked = shown.isRedacted;
      throw error;
    }
    show(shown.result);
    showHidden();
    const address = new URL(location.href);
    address.searchParams.set('view', view);
    history.replaceState(null, '', address);
  };
  box.checked = isRedacted;
  showHidden();
  box.addEventListener('change', () => void attempt(showAsked));
  return () => shown.result;
}
