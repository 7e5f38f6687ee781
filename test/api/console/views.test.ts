// What the console's pages read: search queries, excerpts, the overview.
import test from 'ava';
import { searchQuerySchema } from '../../../api/console/data-schemas.ts';
import { renderPage } from '../../../api/console/shell.ts';
import {
  firstDay,
  toExcerpt,
  toOverview,
  toRecordingBody,
  toSearch,
} from '../../../api/console/views.ts';
import type { Balance } from '../../../db/balance.ts';

const batch = `batch_${'0'.repeat(24)}`;

test('a search has the instants that the page names, and its cursor divided', (t) => {
  const [from, to] = ['2026-11-01T04:00:00.000Z', '2026-11-02T00:00:00-05:00'];
  const search = toSearch(searchQuerySchema.parse({ q: 'refund', from, to, after: `${batch}.17` }));
  t.deepEqual(search.from, new Date('2026-11-01T04:00:00Z'));
  t.deepEqual(search.to, new Date('2026-11-02T05:00:00Z'));
  t.deepEqual(search.after, { batchId: batch, position: 17 });
  t.deepEqual([search.speaker, search.label, search.limit], [null, null, 25]);
});

test('instants that are none, foreign cursors and long texts are rejected', (t) => {
  const wrong = [
    { from: '2026-13-01T00:00:00Z' },
    { to: '2026-11-01' },
    { from: 'yesterday' },
    { after: `${batch}.x` },
    { after: "x'; --" },
    { q: 'a'.repeat(501) },
    { language: 'English' },
    { limit: '101' },
    { other: '1' },
  ];
  for (const query of wrong) {
    t.false(searchQuerySchema.safeParse(query).success, JSON.stringify(query));
  }
});

test('an excerpt is divided at its hits, and keeps all of its text', (t) => {
  t.deepEqual(toExcerpt('I want a \u0002refund\u0003 of <b>\u0002refunds\u0003'), [
    { text: 'I want a ', isHit: false },
    { text: 'refund', isHit: true },
    { text: ' of <b>', isHit: false },
    { text: 'refunds', isHit: true },
  ]);
  t.deepEqual(toExcerpt(''), []);
});

test('first words end between two words', (t) => {
  const found = {
    ...{ batchId: batch, position: 0, title: 'a', language: 'en', labels: [], speakers: [] },
    ...{ durationSeconds: 66, words: 40, unsureWords: 0, createdAt: new Date(0) },
  };
  const excerptOf = (excerpt: string) => toRecordingBody({ ...found, excerpt }).excerpt;
  const plain = (text: string) => [{ text, isHit: false }];
  // 180 characters are what the database gives.
  const words = 'But again, he has made it. '.repeat(7);
  const whole = words.slice(0, words.lastIndexOf(' ', 170));
  t.deepEqual(excerptOf(words.slice(0, 180)), plain(`${whole}\u2026`));
  t.deepEqual(excerptOf('b'.repeat(180)), plain(`${'b'.repeat(170)}\u2026`));
  t.deepEqual(excerptOf('All that was said.'), plain('All that was said.'));
  t.is(excerptOf(`${words}\u0002refund\u0003`)[0]?.text, words, 'around hits');
});

const balance: Balance = {
  ...{ plan: 'subscription', period: new Date(0), allowanceSeconds: 6_000, usedSeconds: 5_400 },
  ...{ remainingSeconds: 600, overageSeconds: 0, creditMicroUsd: 2_500_000 },
};
const noon = Date.parse('2026-11-22T12:00:00Z');
const row = { model: 'svc-resonance', task: 'analysis', microUsd: 0 };

test('the overview has every day, sums of calls and minutes, and what the plan has left', (t) => {
  const { days, ...rest } = toOverview({
    ...{ balance, nowMs: noon, days: 3 },
    usage: [
      { ...row, day: '2026-11-20', requests: 2, seconds: 90 },
      { ...row, day: '2026-11-22', requests: 1, seconds: 30 },
      { ...row, day: '2026-11-22', task: 'emotion', requests: 1, seconds: 60 },
    ],
    languages: [
      { language: 'de', recordings: 3, seconds: 120, words: 90, unsureWords: 9 },
      { language: null, recordings: 1, seconds: 60, words: 10, unsureWords: 1 },
    ],
    labels: [
      { label: 'irritated', recordings: 4 },
      { label: 'angry', recordings: 2 },
    ],
  });
  t.deepEqual(rest.emotions, [{ label: 'angry', recordings: 2 }], 'and no styles');
  t.is(firstDay(noon, 3), '2026-11-20');
  t.deepEqual(
    days.map(({ day, calls, minutes }) => [day, calls, minutes]),
    [
      ['2026-11-20', 2, 1.5],
      ['2026-11-21', 0, 0],
      ['2026-11-22', 2, 1.5],
    ],
  );
  t.deepEqual([rest.calls, rest.minutes, rest.words, rest.unsure_words], [4, 3, 100, 10]);
  t.deepEqual(rest.plan, {
    ...{ name: 'subscription', used_minutes: 90, allowed_minutes: 100, left_minutes: 10 },
    overage: { used_minutes: 0, allowed_minutes: 0 },
  });
});

test('minutes beyond a plan are apart from it, and credits are dollars', (t) => {
  const planOf = (changed: Partial<Balance>) =>
    toOverview({
      ...{ usage: [], languages: [], labels: [], nowMs: noon, days: 1 },
      balance: { ...balance, ...changed },
    }).plan;
  const unlimited = { used_minutes: 0, allowed_minutes: null };
  t.like(planOf({ overageSeconds: Infinity }), { left_minutes: 10, overage: unlimited });
  t.like(planOf({ usedSeconds: 6_060, remainingSeconds: -60, overageSeconds: 1_200 }), {
    ...{ used_minutes: 100, allowed_minutes: 100, left_minutes: 0 },
    overage: { used_minutes: 1, allowed_minutes: 20 },
  });
  t.deepEqual(planOf({ plan: 'credits' }), { name: 'credits', left_usd: 2.5 });
});

test('a page names its files from where it is, and sends no form anywhere', (t) => {
  const page = { title: 'A', current: null, module: 'batch.js', body: '', nonce: 'n' };
  const text = renderPage({ ...page, root: '../' });
  const addresses = [...text.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, address]) => address!);
  t.true(addresses.length > 6);
  t.deepEqual(
    addresses.filter((address) => !/^(\.\.\/(console|docs)|#main$|data:,$)/.test(address)),
    [],
  );
  t.notRegex(text, /<form[^>]*action|<input[^>]*\bname=|style=/);
});
