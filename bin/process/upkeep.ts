// What the database tells of the service's own order: ledger, sweeper, objects that are overdue.
import type { Registry } from 'prom-client';
import { objectLifetimeSeconds } from '../../activities/sweep.ts';
import type { Db } from '../../db/database.ts';
import {
  ledgerDrift,
  sweepDelays,
  type DriftKind,
  type LedgerDrift,
  type SweepDelays,
} from '../../db/upkeep-report.ts';
import { registerObserved } from './observed-gauges.ts';

const memoryMs = 30_000;
/** Long enough that a scrape that was missed for some minutes loses nothing. */
const drift = { windowSeconds: 3_600, limit: 2_000 };
const driftKinds: readonly DriftKind[] = ['undebited', 'unearned', 'held'];

interface Upkeep {
  readonly drift: readonly LedgerDrift[];
  readonly delays: SweepDelays;
}

/** Adds it to a process's metrics; a database that is away leaves it out. */
export function registerUpkeep(registry: Registry, db: Db): void {
  const read = async (): Promise<Upkeep> => {
    const [found, delays] = await Promise.all([
      ledgerDrift(db, drift),
      sweepDelays(db, objectLifetimeSeconds),
    ]);
    return { drift: found, delays };
  };
  registerObserved(registry, { read, memoryMs }, [
    {
      name: 'svc_ledger_drift',
      help: 'Requests of the last hour whose ledger entries contradict how they ended',
      labelNames: ['kind'],
      values: (seen) =>
        driftKinds.map((kind) => ({
          labels: { kind },
          value: seen.drift.filter((found) => found.kind === kind).length,
        })),
    },
    {
      name: 'svc_sweep_age_seconds',
      help: 'Time since the sweeper has come to everything',
      labelNames: [],
      values: ({ delays: { sinceSweepSeconds: value } }) =>
        value === null ? [] : [{ labels: {}, value }],
    },
    {
      name: 'svc_open_request_age_seconds',
      help: 'Age of the oldest request of a caller that has not ended',
      labelNames: [],
      values: ({ delays }) => [{ labels: {}, value: delays.oldestOpenSeconds }],
    },
    {
      name: 'svc_objects_overdue_seconds',
      help: 'How long the oldest stored object of a kind ought to have been deleted',
      labelNames: ['kind'],
      values: ({ delays }) =>
        Object.entries(delays.overdueSeconds).map(([kind, value]) => ({
          labels: { kind },
          value,
        })),
    },
  ]);
}
