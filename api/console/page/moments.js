// The labels of a recording, each with its colour and the number of its moments: a click goes to
// the next of them.
import { byId, count, h } from './dom.js';

const kinds = [
  { kind: 'emotions', prefix: 'e' },
  { kind: 'styles', prefix: 'y' },
];

/**
 * @param {readonly object[]} segments
 * @param {{ emotions: readonly string[], styles: readonly string[] }} labels in their order
 * @param {{ position: () => number, seek: (seconds: number) => void }} player
 * @returns {(label: string) => void} goes to where the label is strongest
 */
export function offerMoments(segments, labels, { position, seek }) {
  const next = (label) => {
    const starts = segments.filter((segment) => has(segment, label)).map(({ start }) => start);
    const later = starts.find((start) => start > position() + 0.01);
    seek(later ?? starts[0]);
  };
  const groups = kinds.map(({ kind, prefix }) => {
    const counted = labels[kind]
      .map((label, i) => ({
        label,
        colour: `${prefix}${i}`,
        times: segments.filter((segment) => has(segment, label)).length,
      }))
      .filter(({ times }) => times > 0)
      .toSorted((a, b) => b.times - a.times);
    return counted.length === 0 ? null : groupOf(kind, counted, next);
  });
  byId('moments').replaceChildren(...groups.filter(Boolean));
  return (label) => {
    const scored = segments.filter((segment) => has(segment, label));
    const strongest = scored.toSorted((a, b) => scoreOf(b, label) - scoreOf(a, label))[0];
    if (strongest) seek(strongest.start);
  };
}

const scores = ({ emotions, styles }) => [...emotions, ...styles];
const has = (segment, label) => scores(segment).some((each) => each.label === label);
const scoreOf = (segment, label) => scores(segment).find((each) => each.label === label).score;

function groupOf(kind, counted, next) {
  return h(
    'div',
    { role: 'group', 'aria-label': `Moments by ${kind}` },
    h('span', { class: 'quiet group-name' }, kind),
    counted.map(({ label, colour, times }) =>
      h(
        'button',
        {
          type: 'button',
          class: 'tag',
          'aria-label': `${label}, ${count(times, 'moment')}: go to the next`,
          onclick: () => next(label),
        },
        h('span', { class: `dot ${colour}` }),
        label,
        h('span', { class: 'quiet' }, ` ${times}`),
      ),
    ),
  );
}
