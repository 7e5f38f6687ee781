// What operators watch in the database: entries that contradict each other, and what the sweeper
// has not come to.
import { sql } from 'kysely';
import type { Db } from './database.ts';
import { isUnneeded } from './files.ts';
import { isNotNeeded } from './object-rows.ts';

/**
 * A request and its ledger entries that cannot both be right:
 * - `undebited`: completed, with seconds to pay, and no debit;
 * - `unearned`: debited, and not completed;
 * - `held`: ended, and its reservation is still open.
 */
export type DriftKind = 'undebited' | 'unearned' | 'held';

export interface LedgerDrift {
  readonly kind: DriftKind;
  readonly organizationId: string;
  readonly requestId: string;
}

/**
 * Of the requests that ended in the last seconds, as rows of organization, id and kind. One
 * transaction ends a request and writes its entries. The entries of each are found by their key and
 * read once, however many requests there are.
 */
const driftSince = (windowSeconds: number) => sql<LedgerDrift>`
  SELECT requests.organization_id, requests.request_id, found.kind FROM requests,
    LATERAL (SELECT count(*) FILTER (WHERE kind = 'debit') AS debits,
      count(*) FILTER (WHERE kind = 'debit' AND attempt = requests.attempt) AS own_debits,
      count(*) FILTER (WHERE kind = 'reserve' AND attempt = requests.attempt)
        - count(*) FILTER (WHERE kind = 'release' AND attempt = requests.attempt) AS held
      FROM ledger WHERE ledger.organization_id = requests.organization_id
        AND ledger.request_id = requests.request_id) AS entries,
    LATERAL (VALUES
      ('undebited', state = 'completed' AND billable_seconds > 0 AND debits = 0),
      ('unearned', state <> 'completed' AND own_debits > 0),
      ('held', held > 0)) AS found (kind, is_so)
  WHERE state IN ('completed', 'failed', 'closed')
    AND updated_at > now() - make_interval(secs => ${windowSeconds}) AND is_so`;

interface DriftWindow {
  /** Requests that ended so long ago at most. */
  readonly windowSeconds: number;
  /** So many are named at most. */
  readonly limit: number;
}

/** Names the contradictions of a window, those of the last requests first. */
export async function ledgerDrift(
  db: Db,
  { windowSeconds, limit }: DriftWindow,
): Promise<readonly LedgerDrift[]> {
  const { rows } = await sql<LedgerDrift>`${driftSince(windowSeconds)}
    ORDER BY updated_at DESC LIMIT ${limit}`.execute(db);
  return rows;
}

/** Counts them, all of them. */
export async function countDrift(
  db: Db,
  windowSeconds: number,
): Promise<Readonly<Record<DriftKind, number>>> {
  const { rows } = await sql<{ kind: DriftKind; count: number }>`
    SELECT kind, count(*)::float8 AS count FROM (${driftSince(windowSeconds)}) AS drift
    GROUP BY kind`.execute(db);
  const none = { undebited: 0, unearned: 0, held: 0 };
  return { ...none, ...Object.fromEntries(rows.map(({ kind, count }) => [kind, count])) };
}

export interface TotalsDrift {
  readonly organizationId: string;
  readonly period: Date;
  /** Of the sum that balances are read from, less that of the entries. */
  readonly seconds: number;
  readonly microUsd: number;
  readonly grantedMicroUsd: number;
}

/** Compares the sums that the database keeps of an organization with its entries, all of them. */
export async function totalsDrift(db: Db, organizationId: string): Promise<readonly TotalsDrift[]> {
  const { rows } = await sql<TotalsDrift>`
    WITH entries AS (
      SELECT period,
        sum(CASE kind WHEN 'release' THEN -seconds WHEN 'grant' THEN 0 ELSE seconds END) AS seconds,
        sum(CASE kind WHEN 'release' THEN -microusd WHEN 'grant' THEN 0 ELSE microusd END)
          AS microusd,
        coalesce(sum(microusd) FILTER (WHERE kind = 'grant'), 0) AS granted_microusd
      FROM ledger WHERE organization_id = ${organizationId} GROUP BY period),
    totals AS (
      SELECT period, seconds, microusd, granted_microusd FROM ledger_totals
      WHERE organization_id = ${organizationId})
    SELECT ${organizationId} AS organization_id, period,
      (coalesce(totals.seconds, 0) - coalesce(entries.seconds, 0))::float8 AS seconds,
      (coalesce(totals.microusd, 0) - coalesce(entries.microusd, 0))::float8 AS micro_usd,
      (coalesce(totals.granted_microusd, 0) - coalesce(entries.granted_microusd, 0))::float8
        AS granted_micro_usd
    FROM totals FULL JOIN entries USING (period)
    WHERE totals.seconds IS DISTINCT FROM entries.seconds
      OR totals.microusd IS DISTINCT FROM entries.microusd
      OR totals.granted_microusd IS DISTINCT FROM entries.granted_microusd`.execute(db);
  return rows;
}

/** Kinds of objects that go after a time of their own. */
export type SweptKind = 'upload' | 'work' | 'result';

export interface SweepDelays {
  /** Since the last whole pass, or else since the first organization; null without either. */
  readonly sinceSweepSeconds: number | null;
  /** Age of the oldest request without a batch that has not ended; 0 without one. */
  readonly oldestOpenSeconds: number;
  /**
   * How long objects of each kind have been due, the oldest of them; 0 where none is. What an open
   * request or batch needs is not due.
   */
  readonly overdueSeconds: Readonly<Record<SweptKind | 'file', number>>;
}

/** The row under which a whole pass of the sweeper is remembered. */
const sweptName = 'whole pass';

/** @param lifetimeSeconds how long objects of each kind may live */
export async function sweepDelays(
  db: Db,
  lifetimeSeconds: Readonly<Record<SweptKind, number>>,
): Promise<SweepDelays> {
  const age = (kind: SweptKind) =>
    sql`(SELECT extract(epoch FROM now() - min(created_at)) FROM objects WHERE kind = ${kind}
      AND created_at < now() - make_interval(secs => ${lifetimeSeconds[kind]}) AND ${isNotNeeded})`;
  const { rows } = await sql<Record<SweptKind | 'file' | 'open' | 'swept', number | null>>`
    SELECT ${age('upload')}::float8 AS upload, ${age('work')}::float8 AS work,
      ${age('result')}::float8 AS result,
      (SELECT extract(epoch FROM now() - min(expires_at)) FROM files
        WHERE expires_at < now() AND ${isUnneeded})::float8 AS file,
      (SELECT extract(epoch FROM now() - min(updated_at)) FROM requests
        WHERE state IN ('admitted', 'running') AND batch_id IS NULL)::float8 AS open,
      extract(epoch FROM now() - coalesce(
        (SELECT position::timestamptz FROM sweep_positions WHERE name = ${sweptName}),
        (SELECT min(created_at) FROM organizations)))::float8 AS swept`.execute(db);
  const found = rows[0]!;
  const overdue = (kind: SweptKind): number =>
    Math.max(0, (found[kind] ?? 0) - lifetimeSeconds[kind]);
  return {
    sinceSweepSeconds: found.swept,
    oldestOpenSeconds: found.open ?? 0,
    overdueSeconds: {
      upload: overdue('upload'),
      work: overdue('work'),
      result: overdue('result'),
      file: found.file ?? 0,
    },
  };
}

/** Remembers that the sweeper has come to everything, by the database's clock. */
export async function recordSweep(db: Db): Promise<void> {
  await sql`
    INSERT INTO sweep_positions (name, position) VALUES (${sweptName}, now()::text)
    ON CONFLICT (name) DO UPDATE SET position = excluded.position`.execute(db);
}
