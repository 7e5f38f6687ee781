// Migrates a database to the latest schema; safe when several processes start at once.
import { Migrator, sql } from 'kysely';
import { openDatabase, type DatabaseOptions, type Db } from './database.ts';
import { fillSearched } from './fill-searched.ts';
import { retryWithin } from '../models/concurrency/retry-within.ts';
import { grantService } from './role-privileges.ts';
import * as first from './migrations/2026-11-21-first.ts';
import * as modelAccess from './migrations/2026-11-21-model-access.ts';
import * as streams from './migrations/2026-11-21-streams.ts';
import * as terms from './migrations/2026-11-21-terms.ts';
import * as batches from './migrations/2026-11-22-batches.ts';
import * as accounts from './migrations/2026-11-23-01-accounts.ts';
import * as places from './migrations/2026-11-23-02-places.ts';
import * as decodes from './migrations/2026-11-23-03-decodes.ts';
import * as storage from './migrations/2026-11-23-04-storage.ts';
import * as whereabouts from './migrations/2026-11-23-05-whereabouts.ts';
import * as recordings from './migrations/2026-11-24-01-recordings.ts';
import * as redaction from './migrations/2026-11-24-02-redaction.ts';
import * as sources from './migrations/2026-11-24-03-sources.ts';
import * as vocabulary from './migrations/2026-11-25-01-vocabulary.ts';
import * as progress from './migrations/2026-11-25-02-progress.ts';
import * as labels from './migrations/2026-11-25-03-labels.ts';
import * as lateWrites from './migrations/2026-11-25-04-late-writes.ts';
import * as searchedWords from './migrations/2026-11-28-01-searched-words.ts';
import * as storageByStatement from './migrations/2026-11-28-02-storage-by-statement.ts';
import * as searchedLater from './migrations/2026-11-28-03-searched-later.ts';
import * as unsizedItems from './migrations/2026-11-29-01-unsized-items.ts';
import * as erasedOrganizations from './migrations/2026-11-29-02-erased-organizations.ts';
import * as clockSetBack from './migrations/2026-11-29-03-clock-set-back.ts';
import * as totalsNow from './migrations/2026-11-30-01-totals-now.ts';

/** By name, in the order in which they run. */
export const migrations = {
  '2026-11-21-first': first,
  '2026-11-21-model-access': modelAccess,
  '2026-11-21-streams': streams,
  '2026-11-21-terms': terms,
  '2026-11-22-batches': batches,
  '2026-11-23-01-accounts': accounts,
  '2026-11-23-02-places': places,
  '2026-11-23-03-decodes': decodes,
  '2026-11-23-04-storage': storage,
  '2026-11-23-05-whereabouts': whereabouts,
  '2026-11-24-01-recordings': recordings,
  '2026-11-24-02-redaction': redaction,
  '2026-11-24-03-sources': sources,
  '2026-11-25-01-vocabulary': vocabulary,
  '2026-11-25-02-progress': progress,
  '2026-11-25-03-labels': labels,
  '2026-11-25-04-late-writes': lateWrites,
  '2026-11-28-01-searched-words': searchedWords,
  '2026-11-28-02-storage-by-statement': storageByStatement,
  '2026-11-28-03-searched-later': searchedLater,
  '2026-11-29-01-unsized-items': unsizedItems,
  '2026-11-29-02-erased-organizations': erasedOrganizations,
  '2026-11-29-03-clock-set-back': clockSetBack,
  '2026-11-30-01-totals-now': totalsNow,
};

/** Building an index over a large table takes long. */
const migrationTimeoutMs = 3_600_000;
/** What comes after a migration that waits for a table waits as well, requests of callers too. */
const migrationLockMs = 2_000;
const lockPatience = {
  /** A report that reads a table may take ten minutes. */
  timeoutMs: 900_000,
  delayMs: () => 1_000,
  isTransient: (error: unknown) => (error as { readonly code?: unknown }).code === '55P03',
};

export interface Migrated {
  /** The names of the migrations that ran. */
  readonly ran: readonly string[];
  /** Those that a newer version has run: its schema stays as it is, privileges included. */
  readonly newer: readonly string[];
}

/**
 * Migrates the database as the owner of its schema, and grants the service's role its privileges.
 * It waits for a lock for two seconds at most, then lets others pass and begins again.
 * @param ownerUrl null when the service's role is the owner
 * @param limits of its connections; a statement itself may take long
 */
export async function prepareDatabase(
  serviceUrl: string,
  ownerUrl: string | null,
  limits: Omit<DatabaseOptions, 'maxConnections' | 'statementTimeoutMs'> = {},
): Promise<Migrated> {
  const owner = openDatabase(ownerUrl ?? serviceUrl, {
    lockTimeoutMs: migrationLockMs,
    ...limits,
    maxConnections: 2,
    statementTimeoutMs: migrationTimeoutMs,
  });
  try {
    const newer = await newerMigrations(owner);
    if (newer.length > 0) return { ran: [], newer };
    const ran = await retryWithin(lockPatience, () => migrateToLatest(owner));
    const role = roleOf(serviceUrl);
    const ownsSchema = ownerUrl !== null && roleOf(ownerUrl) === role;
    if (ownerUrl !== null)
      await retryWithin(lockPatience, () => grantService(owner, role, { ownsSchema }));
    await retryWithin(lockPatience, () => fillSearched(owner));
    return { ran, newer };
  } finally {
    await owner.destroy();
  }
}

function roleOf(url: string): string {
  return decodeURIComponent(new URL(url).username);
}

/**
 * Runs the missing migrations under kysely's lock.
 * @returns their names
 * @throws the error of the first that fails
 */
export async function migrateToLatest(db: Db): Promise<readonly string[]> {
  const migrator = new Migrator({
    db,
    provider: { getMigrations: () => Promise.resolve(migrations) },
  });
  const { error, results = [] } = await migrator.migrateToLatest();
  if (error) throw error instanceof Error ? error : new Error('migration failed', { cause: error });
  return results.map(({ migrationName }) => migrationName);
}

/** Executed migrations after the last one that this version knows, which kysely would reject. */
async function newerMigrations(db: Db): Promise<readonly string[]> {
  const { rows: found } = await sql<{ isThere: boolean }>`
    SELECT to_regclass('kysely_migration') IS NOT NULL AS is_there`.execute(db);
  if (!found[0]!.isThere) return [];
  const { rows } = await sql<{ name: string }>`
    SELECT name FROM kysely_migration ORDER BY name`.execute(db);
  const last = Object.keys(migrations).at(-1)!;
  return rows.map(({ name }) => name).filter((name) => name > last);
}
