// The timeline under the waveform: a lane per speaker, one of emotions and one of styles.
import { byId, clock, h, isUnsureScore, scoreText, shareBar, svg } from './dom.js';

const width = 1_000;
const laneHeight = 20;
const mostTicks = 8;
/** From which a time ends at its place: in the middle of it, it would stand out of the card. */
const lastShare = 0.98;
/** Seconds between the times under the waveform. */
const tickSteps = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800];

/** `happy 0.86, excited 0.42(?)`. */
const scoresText = (scores) =>
  scores.map(({ label, score }) => `${label} ${scoreText(score)}`).join(', ');

/**
 * @param {object} result of the recording
 * @param {object} speakers by speaker-names.js, a lane for each name
 * @param {{ emotions: readonly string[], styles: readonly string[] }} labels in their order
 */
export function drawLanes({ duration, segments }, { speakers, labels }) {
  const lanes = speakers.shown().map((name) => ({
    name: name || 'Speech',
    bars: segments
      .filter(({ speaker }) => speakers.nameOf(speaker) === name)
      .map((segment) => ({ segment, kind: speakers.colourOf(segment.speaker), hint: name })),
  }));
  const scored = (kind, prefix) => ({
    name: `${kind[0].toUpperCase()}${kind.slice(1)}`,
    bars: segments
      .filter((segment) => segment[kind].length > 0)
      .map((segment) => {
        const [{ label, score }] = segment[kind];
        const look = `${prefix}${labels[kind].indexOf(label)}${isUnsureScore(score) ? ' faint' : ''}`;
        return { segment, kind: look, hint: scoresText(segment[kind]) };
      }),
  });
  const tracks = [scored('emotions', 'e'), scored('styles', 'y')];
  const drawn = [...lanes, ...tracks.filter(({ bars }) => bars.length > 0)];
  byId('lanes').replaceChildren(...drawn.map((lane) => laneOf(lane, duration)));
  byId('lane-names').replaceChildren(
    ...drawn.map(({ name }) => h('span', { title: name, dir: 'auto' }, name)),
  );
  drawAxis(duration);
}

/** Times at whole steps, so that they can be read at a glance. */
function drawAxis(duration) {
  const step = tickSteps.find((each) => duration / each < mostTicks) ?? tickSteps.at(-1);
  const times = Array.from({ length: Math.floor(duration / step) + 1 }, (_, i) => i * step);
  byId('axis').replaceChildren(
    ...times.map((seconds) => {
      const share = seconds / Math.max(duration, 1e-3);
      const tick = h('span', { class: share > lastShare ? 'last' : null }, clock(seconds));
      tick.style.left = `${100 * share}%`;
      return tick;
    }),
  );
}

/** A path per colour: an hour has thousands of bars, which as elements would hold up the page. */
function laneOf({ name, bars }, duration) {
  const at = (seconds) => (width * seconds) / Math.max(duration, 1e-3);
  const boxOf = ({ segment }) => {
    const from = at(segment.start);
    const length = Math.max(1, at(segment.end) - from);
    return `M${from.toFixed(1)} 2h${length.toFixed(1)}v${laneHeight - 4}H${from.toFixed(1)}z`;
  };
  const paths = [...Map.groupBy(bars, ({ kind }) => kind)].map(([kind, same]) =>
    svg('path', { class: kind, d: same.map(boxOf).join('') }),
  );
  const view = { viewBox: `0 0 ${width} ${laneHeight}`, preserveAspectRatio: 'none' };
  const drawn = svg('svg', { ...view, 'aria-hidden': 'true' }, ...paths);
  const lane = h(
    'div',
    { class: 'lane' },
    h('span', { class: 'lane-name', dir: 'auto' }, name),
    drawn,
  );
  drawn.addEventListener('pointermove', ({ clientX }) => {
    const box = drawn.getBoundingClientRect();
    lane.title = hintAt(bars, (duration * (clientX - box.left)) / box.width);
  });
  return lane;
}

function hintAt(bars, seconds) {
  const found = bars.find(({ segment: { start, end } }) => start <= seconds && seconds < end);
  return found ? `${clock(found.segment.start)} ${found.hint}` : '';
}

/** The scores of the segment at the position, as bars. */
export function showNow(segment, { nameOf }) {
  const place = byId('now');
  if (!segment) {
    place.replaceChildren(h('span', { class: 'quiet' }, 'No speech at this moment.'));
    return;
  }
  const group = (kind) =>
    segment[kind].length === 0
      ? null
      : h(
          'span',
          { class: 'scores' },
          h('span', { class: 'quiet' }, kind),
          segment[kind].map(({ label, score }) =>
            h('span', { class: 'score' }, label, shareBar(score), scoreText(score)),
          ),
        );
  const name = nameOf(segment.speaker);
  const who = name ? h('strong', {}, h('bdi', {}, name)) : null;
  place.replaceChildren(...[who, group('emotions'), group('styles')].filter(Boolean));
}
