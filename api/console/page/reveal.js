// Scrolling the transcript to one of its parts.

/** Frames in which a place may move once more because what is near it has been laid out. */
const mostFrames = 5;

/**
 * Within the list alone: the page itself stays where it is. Turns that nobody has seen have heights
 * that are estimates, so far away a place is known only once it is near.
 * @param {HTMLElement} list
 * @param {Element} element in it
 * @param {{ isInstant?: boolean }} options
 */
export function reveal(list, element, { isInstant = false } = {}, frames = mostFrames) {
  const [outer, inner] = [list, element].map((each) => each.getBoundingClientRect());
  if (inner.top >= outer.top && inner.bottom <= outer.bottom) return;
  const by = inner.top - outer.top - list.clientHeight / 3;
  const isFar = Math.abs(by) > 2 * list.clientHeight;
  list.scrollBy({ top: by, behavior: isFar || isInstant ? 'instant' : 'auto' });
  if (frames === 0 || !(isFar || isInstant)) return;
  requestAnimationFrame(() => reveal(list, element, { isInstant: true }, frames - 1));
}
