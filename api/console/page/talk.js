// Who talked how much: shares that add up to 100 %, and a table.
import { byId, clock, h, svg } from './dom.js';

const columns = [
  { name: 'Talk', of: (s) => clock(s.talk_seconds) },
  { name: 'Share', of: (s) => `${s.talk_percent} %` },
  { name: 'Turns', of: (s) => s.turns },
  {
    name: 'Words/min',
    of: (s) => (s.words_per_minute === null ? '–' : Math.round(s.words_per_minute)),
  },
  { name: 'Longest', of: (s) => clock(s.longest_monologue_seconds) },
  { name: 'Interruptions', of: (s) => s.interruptions },
  { name: 'Level', of: (s) => (s.loudness_dbfs === null ? '–' : `${s.loudness_dbfs} dBFS`) },
];

export function showTalk(metrics, { speakers, nameOf }) {
  const { talk_seconds: talk, silence_seconds: silence, overlap_seconds: overlap } = metrics;
  let x = 0;
  const bars = metrics.speakers.map((each) => {
    const kind = `s${speakers.indexOf(each.speaker) % 6}`;
    const box = { x, y: 0, width: each.talk_percent, height: 10, class: kind };
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
      `${clock(talk)} of talk, ${clock(silence)} of silence, ${clock(overlap)} of overlap`,
    ),
  );
  byId('talk').replaceChildren(
    ...metrics.speakers.map((each) =>
      h(
        'div',
        { class: 'speaker' },
        h(
          'h3',
          {},
          h('span', { class: `who s${speakers.indexOf(each.speaker) % 6}` }, nameOf(each.speaker)),
        ),
        h(
          'dl',
          { class: 'facts' },
          columns.map(({ name, of }) =>
            h('div', {}, h('dt', {}, name), h('dd', {}, String(of(each)))),
          ),
        ),
      ),
    ),
  );
}
