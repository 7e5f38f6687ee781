// Who talked how much: shares that add up to 100 %, and a table with a column per speaker.
import { byId, h, lengthText, svg } from './dom.js';

const rows = [
  { name: 'Talk', of: (s) => lengthText(s.talk_seconds) },
  { name: 'Share', of: (s) => `${s.talk_percent} %` },
  { name: 'Turns', of: (s) => s.turns },
  {
    name: 'Words/min',
    of: (s) => (s.words_per_minute === null ? '–' : Math.round(s.words_per_minute)),
  },
  { name: 'Longest', of: (s) => lengthText(s.longest_monologue_seconds) },
  { name: 'Interruptions', of: (s) => s.interruptions },
  {
    name: 'Level, dBFS',
    of: (s) => (s.loudness_dbfs === null ? '–' : s.loudness_dbfs.toFixed(1).replace('-', '−')),
  },
];

export function showTalk(metrics, { nameOf, colourOf }) {
  const { talk_seconds: talk, silence_seconds: silence, overlap_seconds: overlap } = metrics;
  let x = 0;
  const bars = metrics.speakers.map((each) => {
    const colour = colourOf(each.speaker);
    const box = { x, y: 0, width: each.talk_percent, height: 10, class: colour };
    x += each.talk_percent;
    return svg('rect', box, svg('title', {}, `${nameOf(each.speaker)} ${each.talk_percent} %`));
  });
  const shares = metrics.speakers.map((s) => `${nameOf(s.speaker)} ${s.talk_percent} %`).join(', ');
  const view = { viewBox: '0 0 100 10', preserveAspectRatio: 'none', role: 'img' };
  byId('shares').replaceChildren(
    svg('svg', { ...view, class: 'shares', 'aria-label': `Shares of talk: ${shares}` }, ...bars),
    h(
      'p',
      { class: 'quiet' },
      `${lengthText(talk)} of talk, ${lengthText(silence)} of silence, ${lengthText(overlap)} of overlap`,
    ),
  );
  const head = metrics.speakers.map(({ speaker }) => {
    const who = h('span', { class: `who ${colourOf(speaker)}` }, nameOf(speaker));
    return h('th', { scope: 'col' }, who);
  });
  byId('talk').replaceChildren(
    h('thead', {}, h('tr', {}, h('td', {}), head)),
    h(
      'tbody',
      {},
      rows.map(({ name, of }) =>
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
