// The first page: new recordings, the last days in figures, the latest batches.
import { attempt, byId, h, languageName, minutesText, svg } from './dom.js';
import { showBatches } from './batch-list.js';
import { whenSignedIn } from './session.js';
import { offerUploads } from './uploads.js';

const latest = 5;

whenSignedIn(async (service) => {
  const showLatest = async () => showBatches(byId('batches'), (await service.batches(latest)).data);
  const showFigures = async () => draw(await service.overview(byId('days').value));
  offerUploads(service, { changed: () => attempt(showLatest) });
  byId('days').addEventListener('change', () => void attempt(showFigures));
  await Promise.all([showFigures(), showLatest()]);
});

function draw(overview) {
  const { calls, minutes, words, unsure_words: unsure, languages, days } = overview;
  const tiles = [
    { name: 'Recordings', value: calls.toLocaleString('en') },
    { name: 'Audio', value: minutesText(minutes) },
    {
      name: 'Unsure words',
      value: words === 0 ? '–' : `${((100 * unsure) / words).toFixed(1)} %`,
      hint: words === 0 ? 'no words yet' : `of ${words.toLocaleString('en')} words`,
    },
    planTile(overview.plan),
  ];
  byId('tiles').replaceChildren(
    ...tiles.map(({ name, value, hint = '' }) =>
      h('div', { class: 'card tile' }, h('dt', {}, name), h('dd', {}, value, h('small', {}, hint))),
    ),
  );
  byId('day-chart').replaceChildren(dayChart(days));
  byId('language-chart').replaceChildren(languageChart(languages));
}

function planTile(plan) {
  if (plan.left_usd !== undefined) {
    return { name: 'Credits left', value: `$${plan.left_usd.toFixed(2)}`, hint: 'prepaid' };
  }
  const { left_minutes: left, used_minutes: used, allowed_minutes: allowed } = plan;
  return {
    name: 'Plan left',
    value: left === null ? 'no limit' : minutesText(left),
    hint: `${minutesText(used)} of ${minutesText(allowed)} used · ${plan.name}`,
  };
}

const chartHeight = 96;

/** A bar a day; the table behind it is read by screen readers. */
function dayChart(days) {
  const most = Math.max(...days.map(({ minutes }) => minutes), 1e-9);
  const step = 600 / days.length;
  const bars = days.map(({ day, calls, minutes }, i) => {
    const height = minutes === 0 ? 1 : Math.max(2, (chartHeight * minutes) / most);
    const hint = `${day}: ${minutesText(minutes)}, ${calls} recordings`;
    const box = { x: i * step + 1, y: chartHeight - height, width: step - 2, height, rx: 2 };
    return svg('rect', { ...box, class: 'bar-fill' }, svg('title', {}, hint));
  });
  const view = { viewBox: `0 0 600 ${chartHeight}`, preserveAspectRatio: 'none' };
  const total = days.reduce((sum, { minutes }) => sum + minutes, 0);
  const label = `${minutesText(total)} from ${days[0].day} to ${days.at(-1).day}`;
  return h(
    'div',
    {},
    svg('svg', { ...view, class: 'chart', role: 'img', 'aria-label': label }, ...bars),
    h('div', { class: 'axis quiet' }, h('span', {}, days[0].day), h('span', {}, days.at(-1).day)),
  );
}

function languageChart(languages) {
  if (languages.length === 0) return h('p', { class: 'quiet' }, 'No recordings yet.');
  const most = Math.max(...languages.map(({ recordings }) => recordings));
  return h(
    'ul',
    { class: 'bars' },
    languages
      .slice(0, 6)
      .map(({ language, recordings, minutes }) =>
        h(
          'li',
          {},
          h('span', {}, languageName(language)),
          h('meter', { max: most, value: recordings, 'aria-hidden': 'true' }),
          h('span', { class: 'quiet' }, `${recordings} · ${minutesText(minutes)}`),
        ),
      ),
  );
}
