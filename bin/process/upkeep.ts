// What the database tells of the service's own order: ledger, sweeper, objects that are overdue.
import type { Registry } from 'prom-client';
import { objectLifetimeSeconds } from '../../activities/sweep.ts';
import type { Db } from '../../db/database.ts';
import { countDrift, sweepDelays } from '../../db/upkeep-report.ts';
import { registerObserved } from './observed-gauges.ts';

const memoryMs = 30_000;
/** Long enough that a scrape that was missed for some minutes loses nothing. */
const driftWindowSeconds = 3_600;
/** Every request of the hour is looked at: 10 us each, so seconds where there are 300,000. */
const driftMemoryMs = 300_000;

/** Adds it to a process's metrics; a database that is away leaves it out. */
export function registerUpkeep(registry: Registry, db: Db): void {
  const drift = { read: () => countDrift(db, driftWindowSeconds), memoryMs: driftMemoryMs };
  registerObserved(registry, drift, [
    {
      name: 'svc_ledger_drift',
      help: 'Requests of the last hour whose ledger entries contradict how they ended',
      labelNames: ['kind'],
      values: (counts) =>
        Object.entries(counts).map(([kind, value]) => ({ labels: { kind }, value })),
    },
  ]);
  const delays = { read: () => sweepDelays(db, objectLifetimeSeconds), memoryMs };
  registerObserved(registry, delays, [
    {
      name: 'svc_sweep_age_seconds',
      help: 'Time since the sweeper has come to everything, or else since the first organization',
      labelNames: [],
      values: ({ sinceSweepSeconds: value }) => (value === null ? [] : [{ labels: {}, value }]),
    },
    {
      name: 'svc_open_request_age_seconds',
      help: 'Age of the oldest request of a caller that has not ended',
      labelNames: [],
      values: ({ oldestOpenSeconds: value }) => [{ labels: {}, value }],
    },
    {
      name: 'svc_objects_overdue_seconds',
      help: 'How long the oldest stored object of a kind ought to have been deleted',
      labelNames: ['kind'],
      values: ({ overdueSeconds }) =>
        Object.entries(overdueSeconds).map(([kind, value]) => ({
          labels: { kind },
          value,
        })),
    },
  ]);
}
