// Rows of the database as the console's pages read them; pure.
import type { Balance } from '../../db/balance.ts';
import type {
  FoundRecording,
  LabelTotal,
  LanguageTotals,
  RecordingSearch,
} from '../../db/recordings.ts';
import { parseSearch } from '../../db/search-terms.ts';
import type { DayUsage } from '../../db/usage-report.ts';
import { emotionLabels } from '../../models/contract/labels.ts';
import { planRows } from '../../models/contract/plans.ts';
import type { SearchQuery } from './data-schemas.ts';

const dayMs = 86_400_000;
const emotions = new Set<string>(emotionLabels);

export function toSearch(query: SearchQuery): RecordingSearch {
  const [batchId = '', position = ''] = (query.after ?? '').split('.');
  return {
    terms: parseSearch(query.q),
    speaker: query.speaker ?? null,
    label: query.label ?? null,
    language: query.language ?? null,
    from: query.from === undefined ? null : new Date(query.from),
    to: query.to === undefined ? null : new Date(query.to),
    after: query.after === undefined ? null : { batchId, position: Number(position) },
    limit: query.limit,
  };
}

export function toRecordingBody(found: FoundRecording) {
  return {
    id: `${found.batchId}.${found.position}`,
    batch_id: found.batchId,
    index: found.position,
    title: found.title,
    language: found.language,
    labels: found.labels,
    speakers: found.speakers,
    duration: found.durationSeconds,
    words: found.words,
    unsure_words: found.unsureWords,
    created_at: Math.floor(found.createdAt.getTime() / 1_000),
    excerpt: toExcerpt(shortened(found.excerpt)),
  };
}

/** Less than the database gives of a long text, so that what is cut there is cut here as well. */
const excerptLength = 170;

/** First words end where one of them does; around hits the database cuts between words. */
function shortened(text: string): string {
  if (text.length <= excerptLength || text.includes('\u0002')) return text;
  const cut = text.slice(0, excerptLength + 1);
  const blank = cut.lastIndexOf(' ');
  return `${blank > 0 ? cut.slice(0, blank) : cut.slice(0, excerptLength)}…`;
}

interface ExcerptPart {
  readonly text: string;
  readonly isHit: boolean;
}

/** Splits at the marks around hits, which no text of a person contains. */
export function toExcerpt(marked: string): readonly ExcerptPart[] {
  const [before = '', ...hits] = marked.split('\u0002');
  const parts = hits.flatMap((part) => {
    const [hit = '', after = ''] = part.split('\u0003');
    return [
      { text: hit, isHit: true },
      { text: after, isHit: false },
    ];
  });
  return [{ text: before, isHit: false }, ...parts].filter(({ text }) => text !== '');
}

export interface OverviewFacts {
  readonly balance: Balance;
  readonly usage: readonly DayUsage[];
  readonly languages: readonly LanguageTotals[];
  readonly labels: readonly LabelTotal[];
  /** Unix milliseconds. */
  readonly nowMs: number;
  readonly days: number;
}

/** UTC day `days - 1` days ago: the first of as many. */
export function firstDay(nowMs: number, days: number): string {
  return new Date(nowMs - (days - 1) * dayMs).toISOString().slice(0, 10);
}

/** Every day is listed, also those without a call. */
export function toOverview(facts: OverviewFacts) {
  const { balance, usage, languages, labels, nowMs, days } = facts;
  const byDay = Map.groupBy(usage, ({ day }) => day);
  const sum = (rows: readonly DayUsage[], of: 'requests' | 'seconds'): number =>
    rows.reduce((total, row) => total + row[of], 0);
  const listed = Array.from({ length: days }, (_, i) => {
    const day = firstDay(nowMs, days - i);
    const rows = byDay.get(day) ?? [];
    return { day, calls: sum(rows, 'requests'), minutes: sum(rows, 'seconds') / 60 };
  });
  return {
    days: listed,
    calls: sum(usage, 'requests'),
    minutes: sum(usage, 'seconds') / 60,
    words: languages.reduce((total, { words }) => total + words, 0),
    unsure_words: languages.reduce((total, { unsureWords }) => total + unsureWords, 0),
    languages: languages.map(({ language, recordings, seconds }) => {
      return { language, recordings, minutes: seconds / 60 };
    }),
    emotions: labels.filter(({ label }) => emotions.has(label)),
    plan: toPlan(balance),
  };
}

function toPlan(balance: Balance) {
  const { plan, allowanceSeconds, usedSeconds, overageSeconds, creditMicroUsd } = balance;
  if (planRows[plan].paysWith === 'credits') return { name: plan, left_usd: creditMicroUsd / 1e6 };
  const used = Math.min(usedSeconds, allowanceSeconds);
  return {
    name: plan,
    used_minutes: used / 60,
    allowed_minutes: allowanceSeconds / 60,
    left_minutes: (allowanceSeconds - used) / 60,
    overage: {
      used_minutes: (usedSeconds - used) / 60,
      /** null without a limit. */
      allowed_minutes: overageSeconds === Infinity ? null : overageSeconds / 60,
    },
  };
}
