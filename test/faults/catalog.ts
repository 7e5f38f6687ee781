// The faults by name, with the line that `npm run faults -- --help` prints for each.
import { clockJumps } from './clock.ts';
import { diskFull } from './disk-full.ts';
import type { FaultOptions, FaultOutcome } from './fault.ts';
import { bulk, clientsUnderKills, everyCrashPoint } from './kills.ts';
import { overload } from './overload.ts';
import { postgresCrash, postgresPartition } from './postgres.ts';
import { rolling } from './rolling.ts';
import { s3Errors } from './s3.ts';
import { slowClients } from './slow-clients.ts';
import { temporalPartition } from './temporal.ts';

export interface Fault {
  readonly line: string;
  run(options: FaultOptions): Promise<FaultOutcome>;
}

export const faults: Readonly<Record<string, Fault>> = {
  crash: {
    line: 'processes are killed between every two steps of a request',
    run: everyCrashPoint,
  },
  clients: {
    line: 'clients that do not wait, while processes are killed at random',
    run: clientsUnderKills,
  },
  bulk: {
    line: 'a batch of 270 recordings while every process and server is killed, in any order',
    run: bulk,
  },
  'postgres-crash': {
    line: 'PostgreSQL is stopped at once and killed, three times, under load',
    run: postgresCrash,
  },
  'postgres-partition': {
    line: 'the line to PostgreSQL is silent for 30 s, then cut for 10 s',
    run: postgresPartition,
  },
  's3-errors': {
    line: 'storage answers with errors, late, cut short, with wrong bits, and not at all',
    run: s3Errors,
  },
  'temporal-partition': {
    line: 'Temporal is killed twice, then its line is cut for 60 s; histories replay',
    run: temporalPartition,
  },
  'disk-full': {
    line: 'the disks of storage, PostgreSQL and temporary files run full in turn (as root)',
    run: diskFull,
  },
  'slow-clients': {
    line: '500 connections that trickle headers, bodies, JSON and frames beside a good client',
    run: slowClients,
  },
  clock: {
    line: 'clocks of API, worker and PostgreSQL jump by an hour at the edges of sessions',
    run: clockJumps,
  },
  overload: {
    line: 'five times the capacity arrives for a minute',
    run: overload,
  },
  rolling: {
    line: 'a new version takes over from the one before, migrations included, under load',
    run: rolling,
  },
};
