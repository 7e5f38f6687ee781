// Who talked how much: shares that add up to 100 %, and a table with a column per speaker.
import { byId, h, lengthText, svg } from './dom.js';

/** `isOfOne` ones say nothing of all speech, where speakers were not separated. */
const rows = [
  { name: 'Talk', of: (s) => lengthText(s.talk_seconds) },
  { name: 'Share', of: (s) => `${s.talk_percent} %`, isOfOne: true },
  { name: 'Turns', of: (s) => s.turns, isOfOne: true },
  {
    name: 'Words/min',
    of: (s) => (s.words_per_minute === null ? '–' : Math.round(s.words_per_minute)),
  },
  { name: 'Longest', of: (s) => lengthText(s.longest_monologue_seconds), isOfOne: true },
  { name: 'Interruptions', of: (s) => s.interruptions, isOfOne: true },
  {
    name: 'Level, dBFS',
    of: (s) => (s.loudness_dbfs === null ? '–' : s.loudness_dbfs.toFixed(1).replace('-', '−')),
  },
];

export function showTalk(metrics, { nameOf, colourOf }) {
  const { talk_seconds: talk, silence_seconds: silence, overlap_seconds: overlap } = metrics;
  const isSeparated = metrics.speakers.some(({ speaker }) => speaker !== null);
  let x = 0;
  const bars = metrics.speakers.map((each) => {
    const colour = colourOf(each.speaker);
    const box = { x, y: 0, width: each.talk_percent, height: 10, class: colour };
    x += each.talk_percent;
    return svg('rect', box, svg('title', {}, `${nameOf(each.speaker)} ${each.talk_percent} %`));
  });
  const shares = metrics.speakers.map((s) => `${nameOf(s.speaker)} ${s.talk_percent} %`).join(', ');
  const view = { viewBox: '0 0 100 10', preserveAspectRatio: 'none', role: 'img' };
  const look = { ...view, class: 'shares', 'aria-label': `Shares of talk: ${shares}` };
  byId('shares').replaceChildren(
    ...(isSeparated ? [svg('svg', look, ...bars)] : []),
    h(
      'p',
      { class: 'quiet' },
      `${lengthText(talk)} of talk, ${lengthText(silence)} of silence, ${lengthText(overlap)} of overlap`,
    ),
    ...(metrics.speakers.length > 0 && !isSeparated
      ? [h('p', { class: 'quiet' }, 'Speakers were not separated.')]
      : []),
  );
  byId('talk').replaceChildren();
  if (metrics.speakers.length === 0) return;
  const head = metrics.speakers.map(({ speaker }) => {
    const name = nameOf(speaker) || 'All speech';
    const who = h('bdi', { class: `who ${colourOf(speaker)}` }, name);
    return h('th', { scope: 'col' }, who);
  });
  byId('talk').replaceChildren(
    h('thead', {}, h('tr', {}, h('td', {}), head)),
    h(
      'tbody',
      {},
      rows
        .filter(({ isOfOne }) => isSeparated || !isOfOne)
        .map(({ name, of }) =>
          h(
            'tr',
            {},
            h('th', { scope: 'row' }, name),
            metrics.speakers.map((each) => h('td', {}, String(of(each)))),
          ),
        ),
    ),
  );
}
