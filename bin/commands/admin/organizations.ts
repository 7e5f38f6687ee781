// `svc admin org` and `svc admin plan`: the customers and their terms.
import type { Command } from 'commander';
import { balanceOf } from '../../../db/balance.ts';
import type { Db } from '../../../db/database.ts';
import {
  createOrganization,
  describeOrganization,
  grantCredits,
  listOrganizations,
  setStorageQuota,
  setSuspended,
  setTerms,
  type Terms,
} from '../../../db/organizations.ts';
import { storageOf } from '../../../db/storage-quota.ts';
import { planRows, plans } from '../../../models/contract/plans.ts';
import { parseWhole } from '../arguments.ts';
import { operator } from '../../process/operator.ts';
import { printRows, withDatabase, type PrintOptions } from './database.ts';

interface TermOptions {
  readonly plan: string;
  readonly minutes: number;
  readonly overage: string;
}

export function addOrganizationCommands(admin: Command): void {
  const org = admin
    .command('org')
    .description('organizations: create, list, show, suspend, resume');
  withTermOptions(
    org.command('create <name>').description('create an organization and print its id'),
  ).action(async (name: string, options: TermOptions) => {
    const terms = termsOf(options);
    const id = await withDatabase((db) =>
      createOrganization(db, { name, actor: operator(), ...terms }),
    );
    process.stdout.write(`${id}\n`);
  });
  org
    .command('list')
    .description('every organization')
    .option('--json', 'print JSON')
    .action(async (options: PrintOptions) => {
      const all = await withDatabase(listOrganizations);
      const rows = all.map(({ organizationId, name, plan, suspended, createdAt }) => ({
        ...{ organizationId, name, plan, suspended },
        createdAt: createdAt.toISOString(),
      }));
      printRows(rows, options);
    });
  org
    .command('show <organization>')
    .description('terms and balance')
    .option('--json', 'print JSON')
    .action(async (organizationId: string, options: PrintOptions) => {
      printRows([await withDatabase((db) => accountRow(db, organizationId))], options);
    });
  for (const [verb, suspended] of [
    ['suspend', true],
    ['resume', false],
  ] as const) {
    org
      .command(`${verb} <organization>`)
      .description(
        suspended ? 'answer every key with 403 account_suspended' : 'accept its keys again',
      )
      .action(async (organizationId: string) => {
        const change = { organizationId, suspended, actor: operator() };
        await withDatabase((db) => setSuspended(db, change));
        process.stdout.write(`${organizationId}: ${suspended ? 'suspended' : 'active'}\n`);
      });
  }
  addPlanCommands(admin);
}

function addPlanCommands(admin: Command): void {
  const plan = admin.command('plan').description('terms of an organization: set, credit, storage');
  withTermOptions(plan.command('set <organization>').description('change the terms')).action(
    async (organizationId: string, options: TermOptions) => {
      const terms = termsOf(options);
      await withDatabase((db) => setTerms(db, { organizationId, actor: operator(), ...terms }));
      printRows([await withDatabase((db) => accountRow(db, organizationId))], {});
    },
  );
  plan
    .command('storage <organization>')
    .description('change the storage quota; without options, reset it to that of the plan')
    .option('--gib <n>', 'bytes of files, in GiB', parseWhole('--gib'))
    .option('--files <n>', 'number of files', parseWhole('--files'))
    .action(async (organizationId: string, { gib, files }: { gib?: number; files?: number }) => {
      const bytes = gib === undefined ? null : gib * gibibyte;
      const change = { organizationId, actor: operator(), bytes, files: files ?? null };
      await withDatabase((db) => setStorageQuota(db, change));
      printRows([await withDatabase((db) => accountRow(db, organizationId))], {});
    });
  plan
    .command('credit <organization> <usd>')
    .description('add prepaid credits, for example 25 or 12.50')
    .action(async (organizationId: string, usd: string) => {
      const microUsd = /^\d{1,7}(\.\d{1,6})?$/.test(usd) ? Math.round(Number(usd) * 1e6) : 0;
      if (microUsd <= 0) throw new Error(`credits must be a positive amount of USD, got "${usd}"`);
      const change = { organizationId, microUsd, actor: operator() };
      await withDatabase((db) => grantCredits(db, change));
      printRows([await withDatabase((db) => accountRow(db, organizationId))], {});
    });
}

function withTermOptions(command: Command): Command {
  return command
    .requiredOption('--plan <plan>', 'trial, subscription (minutes a month) or credits (prepaid)')
    .option('--minutes <n>', 'plan minutes per period', parseWhole('--minutes'), 0)
    .option('--overage <minutes>', 'minutes beyond the allowance: a number or "unlimited"', '0');
}

const gibibyte = 2 ** 30;
function termsOf({ plan, minutes, overage }: TermOptions): Terms {
  const known = plans.find((name) => name === plan);
  if (!known) throw new Error(`--plan must be one of ${plans.join(', ')}, got "${plan}"`);
  const unlimited = overage === 'unlimited';
  return {
    plan: known,
    allowanceSeconds: minutes * 60,
    overageSeconds: unlimited ? null : parseWhole('--overage')(overage) * 60,
  };
}

async function accountRow(db: Db, organizationId: string) {
  const { name, plan, suspended, overageSeconds } = await describeOrganization(db, organizationId);
  const balance = await balanceOf(db, organizationId);
  const { quota, used } = await storageOf(db, organizationId);
  return {
    ...{ organizationId, name, plan, suspended },
    periodSince: balance.period.toISOString().slice(0, 10),
    planMinutes: balance.allowanceSeconds / 60,
    usedSeconds: balance.usedSeconds,
    leftSeconds: balance.remainingSeconds,
    overageMinutes: overageSeconds === null ? 'unlimited' : overageSeconds / 60,
    storedGib: `${(used.bytes / gibibyte).toFixed(3)} of ${quota.bytes / gibibyte}`,
    files: `${used.files} of ${quota.files}`,
    creditUsd:
      planRows[plan].paysWith === 'credits' ? (balance.creditMicroUsd / 1e6).toFixed(6) : null,
  };
}
