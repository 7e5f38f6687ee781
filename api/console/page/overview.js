// The first page: new recordings, the last days in figures, the latest batches.
import { at, attempt, byId, count, h, languageName, minutesText, shareBar, svg } from './dom.js';
import { createBatchList } from './batch-list.js';
import { whenSignedIn } from './session.js';
import { offerUploads } from './uploads.js';

const latest = 5;
const mostBars = 6;
/** Between readings of the figures while batches go on. */
const figuresQuietMs = 20_000;

whenSignedIn(async (service) => {
  let reading = null;
  let figuresMs = 0;
  let counted = '';
  /** Recordings that are done are in the figures too, and those of a large batch take hours. */
  const read = async () => {
    const { data } = await service.batches(latest);
    const now = JSON.stringify(data.map(({ request_counts: counts }) => counts.completed));
    const isDue = Date.now() - figuresMs > figuresQuietMs;
    if (now !== counted && counted !== '' && isDue) void showFigures().catch(() => {});
    if (isDue) counted = now;
    return data;
  };
  const showLatest = createBatchList(byId('batches'), read);
  /** Of the period that was chosen last, whichever answer comes first. */
  const showFigures = async () => {
    figuresMs = Date.now();
    const own = (reading = service.overview(byId('days').value));
    const figures = await own;
    if (reading === own) draw(figures);
  };
  const showAll = () => Promise.all([showFigures(), showLatest()]);
  offerUploads(service, { changed: () => attempt(showAll) });
  byId('days').addEventListener('change', () => void attempt(showFigures));
  await showAll();
});

function draw(overview) {
  const { calls, minutes, words, unsure_words: unsure, languages, emotions, days } = overview;
  const tiles = [
    { name: 'Recordings', value: calls.toLocaleString('en'), hint: countText(days) },
    { name: 'Audio', ...lengthParts(minutes), hint: meanText(calls, minutes) },
    {
      name: 'Unsure words',
      value: words === 0 ? '–' : ((100 * unsure) / words).toFixed(1),
      unit: words === 0 ? '' : '%',
      hint: words === 0 ? 'no words yet' : `of ${words.toLocaleString('en')} words`,
    },
    planTile(overview.plan),
  ];
  byId('tiles').replaceChildren(
    ...tiles.map(({ name, value, unit = '', hint }) =>
      h(
        'div',
        { class: 'card tile' },
        h('dt', {}, name),
        h('dd', {}, value, h('span', { class: 'unit' }, unit), h('small', {}, hint)),
      ),
    ),
  );
  // Two empty pictures would be all that a newcomer sees.
  byId('charts').hidden = calls === 0 && emotions.length === 0;
  byId('day-chart').replaceChildren(dayChart(days));
  const linkTo = linksSince(days[0].day);
  byId('emotion-chart').replaceChildren(emotionChart(emotions, linkTo));
  byId('language-chart').replaceChildren(languageChart(languages, linkTo));
}

const countText = (days) => `in ${count(days.length, 'day')}`;

function meanText(calls, minutes) {
  return calls === 0 ? 'nothing yet' : `${minutesText(minutes / calls)} each, on average`;
}

/** Hours from ten hours on, because nobody reads 2,207 minutes. */
function lengthParts(minutes) {
  if (minutes < 600) return { value: minutesText(minutes).replace(' min', ''), unit: 'min' };
  return { value: Math.round(minutes / 60).toLocaleString('en'), unit: 'h' };
}

const lengthText = (minutes) => Object.values(lengthParts(minutes)).join(' ');

function planTile(plan) {
  if (plan.left_usd !== undefined) {
    return { name: 'Credits left', value: `$${plan.left_usd.toFixed(2)}`, hint: 'prepaid' };
  }
  const hint = `${usedText(plan)} · ${plan.name}${overageText(plan.overage)}`;
  return { name: 'Plan left', ...lengthParts(plan.left_minutes), hint };
}

/** Used, or reserved by batches in progress, which are charged for what is analysed. */
const usedText = ({ used_minutes: used, allowed_minutes: allowed }) =>
  `${lengthText(used)} of ${lengthText(allowed)} taken`;

/** What may be used beyond the plan is no part of it: it may cost more. */
function overageText(overage) {
  if (overage.allowed_minutes === 0) return '';
  if (overage.allowed_minutes !== null) return ` · overage: ${usedText(overage)}`;
  return ` · overage: ${lengthText(overage.used_minutes)} taken, no limit`;
}

const chartHeight = 96;

const dayText = (day) =>
  new Date(day).toLocaleDateString('en', {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    timeZone: 'UTC',
  });

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
    h(
      'div',
      { class: 'ends quiet' },
      h('span', {}, dayText(days[0].day)),
      h('span', {}, dayText(days.at(-1).day)),
    ),
  );
}

/**
 * Links to the recordings that a chart counts.
 * @param {string} firstDay of UTC; the list begins with the day of the browser in which it begins
 */
function linksSince(firstDay) {
  const start = new Date(firstDay);
  const parts = [start.getFullYear(), start.getMonth() + 1, start.getDate()];
  const from = parts.map((part) => String(part).padStart(2, '0')).join('-');
  return (text, query) => {
    const search = new URLSearchParams({ ...query, from }).toString();
    return h('a', { href: at(`console/recordings?${search}`) }, text);
  };
}

/**
 * Each leads to the recordings, at the moments in which it was heard. Nearly all have neutral ones,
 * whose bar would leave no other to be seen: they are counted below.
 */
function emotionChart(emotions, linkTo) {
  if (emotions.length === 0) {
    return nothing('No emotions yet: they come with the task analysis.');
  }
  const link = (label) => linkTo(label, { label });
  const shown = emotions.filter(({ label }) => label !== 'neutral').slice(0, mostBars);
  const bars = shown.map(({ label, recordings }) => ({
    name: link(label),
    share: recordings / shown[0].recordings,
    text: recordings.toLocaleString('en'),
  }));
  const neutral = emotions.find(({ label }) => label === 'neutral');
  const others = shown.length === 0 ? ', and no other emotion' : '';
  return h(
    'div',
    {},
    shown.length === 0 ? null : barList(bars),
    neutral
      ? h(
          'p',
          { class: 'quiet' },
          link('neutral'),
          ` in ${count(neutral.recordings, 'recording')}${others}`,
        )
      : null,
  );
}

function languageChart(languages, linkTo) {
  if (languages.length === 0) return nothing('No recordings yet.');
  const most = Math.max(...languages.map(({ recordings }) => recordings));
  return barList(
    languages.slice(0, mostBars).map(({ language, recordings, minutes }) => ({
      name: language ? linkTo(languageName(language), { language }) : 'no words',
      share: recordings / most,
      text: `${recordings.toLocaleString('en')} · ${lengthText(minutes)}`,
    })),
  );
}

const nothing = (text) => h('p', { class: 'quiet' }, text);

function barList(rows) {
  return h(
    'ul',
    { class: 'bars' },
    rows.map(({ name, share, text }) =>
      h('li', {}, h('span', {}, name), shareBar(share), h('span', { class: 'quiet number' }, text)),
    ),
  );
}
