// `svc admin ledger`: whether requests, ledger and balances agree, as after a restore.
import type { Command } from 'commander';
import { listOrganizations } from '../../../db/organizations.ts';
import { ledgerDrift, totalsDrift } from '../../../db/upkeep-report.ts';
import type { Db } from '../../../db/database.ts';
import { parseWhole } from '../arguments.ts';
import { exitCodes, Unchecked } from '../exit-codes.ts';
import { printRows, withDatabase, type PrintOptions } from './database.ts';

interface LedgerOptions extends PrintOptions {
  readonly days: number;
}

/** As many as a person would want to see. */
const limit = 1_000_000;
const daySeconds = 86_400;

export function addLedgerCommand(admin: Command): void {
  admin
    .command('ledger')
    .description(
      'compare requests, ledger and balances; exit 1 where they contradict each other, 3 where ' +
        'that could not be checked',
    )
    .option('--days <n>', 'requests that ended in the last days', parseWhole('--days', 1), 30)
    .option('--json', 'print JSON')
    .action(async ({ days, ...options }: LedgerOptions) => {
      const compare = (db: Db) => contradictions(db, days * daySeconds);
      const found = await withDatabase(compare).catch((cause: unknown) => {
        throw new Unchecked('requests, ledger and balances could not be compared', { cause });
      });
      printRows(found, options);
      if (found.length > 0) process.exitCode = exitCodes.failed;
      else if (!options.json) process.stdout.write('requests, ledger and balances agree\n');
    });
}

async function contradictions(db: Db, windowSeconds: number) {
  const requests = await ledgerDrift(db, { windowSeconds, limit });
  const balances = [];
  for (const { organizationId } of await listOrganizations(db)) {
    balances.push(...(await totalsDrift(db, organizationId)));
  }
  return [
    ...requests.map(({ kind, organizationId, requestId }) => ({
      ...{ what: kind as string, organizationId, of: requestId },
      ...{ seconds: null, microUsd: null, grantedMicroUsd: null },
    })),
    ...balances.map(({ organizationId, period, ...drift }) => ({
      ...{ what: 'balance', organizationId, of: period.toISOString(), ...drift },
    })),
  ];
}
