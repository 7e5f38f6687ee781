// `svc admin org` and `svc admin plan`: the customers and their terms.
import type { Command } from 'commander';
import { balanceOf, creditsOf } from '../../../db/balance.ts';
import type { Db } from '../../../db/database.ts';
import { eraseOrganization } from '../../../db/erase-organization.ts';
import {
  changeTerms,
  createOrganization,
  describeOrganization,
  grantCredits,
  listOrganizations,
  setStorageQuota,
  setSuspended,
} from '../../../db/organizations.ts';
import { storageOf } from '../../../db/storage-quota.ts';
import { planRows } from '../../../models/contract/plans.ts';
import { isRequestId, requestIdError } from '../../../models/contract/request-id.ts';
import { parseWhole } from '../arguments.ts';
import { operator } from '../../process/operator.ts';
import { printRows, withDatabase, type PrintOptions } from './database.ts';
import { planHelp, termsOf, withTermOptions, type TermOptions } from './terms.ts';

export function addOrganizationCommands(admin: Command): void {
  const org = admin
    .command('org')
    .description('organizations: create, list, show, suspend, resume, erase');
  withTermOptions(
    org
      .command('create <name>')
      .description('create an organization and print its id')
      .requiredOption('--plan <plan>', planHelp),
  ).action(async (name: string, options: TermOptions) => {
    if (name.trim() === '') throw new Error('an organization needs a name');
    const terms = termsOf(options, null);
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
      const rows = all.map(({ organizationId, name, plan, suspended, erasedAt, createdAt }) => ({
        ...{ organizationId, name, plan, suspended, erasedAt: erasedAt?.toISOString() ?? null },
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
  org
    .command('erase <organization>')
    .description('end a suspended one for good: its recordings, results and keys are deleted')
    .action(async (organizationId: string) => {
      await withDatabase((db) => eraseOrganization(db, { organizationId, actor: operator() }));
      const rest = 'the next sweeps delete its recordings and results';
      process.stdout.write(`${organizationId}: erased; ${rest}\n`);
    });
  addPlanCommands(admin);
}

function addPlanCommands(admin: Command): void {
  const plan = admin.command('plan').description('terms of an organization: set, credit, storage');
  withTermOptions(
    plan
      .command('set <organization>')
      .description('change the terms; numbers that are not named stay, unless the plan changes')
      .option('--plan <plan>', planHelp),
  ).action(async (organizationId: string, options: TermOptions) => {
    const row = await withDatabase(async (db) => {
      await changeTerms(db, {
        ...{ organizationId, actor: operator() },
        termsAfter: (before) => termsOf(options, before),
      });
      return accountRow(db, organizationId);
    });
    printRows([row], {});
  });
  plan
    .command('storage <organization>')
    .description(
      'change what is named of the storage quota; without options, reset it to that of the plan',
    )
    .option('--gib <n>', 'bytes of files, in GiB', parseWhole('--gib', 0, maxGib))
    .option('--files <n>', 'number of files', parseWhole('--files'))
    .action(async (organizationId: string, { gib, files }: { gib?: number; files?: number }) => {
      const given = {
        ...(gib !== undefined && { bytes: gib * gibibyte }),
        ...(files !== undefined && { files }),
      };
      const isReset = gib === undefined && files === undefined;
      const limits = isReset ? { bytes: null, files: null } : given;
      const change = { organizationId, actor: operator(), ...limits };
      await withDatabase((db) => setStorageQuota(db, change));
      printRows([await withDatabase((db) => accountRow(db, organizationId))], {});
    });
  plan
    .command('credit <organization> <usd>')
    .description('add prepaid credits to a plan that pays with them, for example 25 or 12.50')
    .option('--reference <text>', 'such as an invoice; one adds once, however often it is said')
    .action(async (organizationId: string, usd: string, options: { reference?: string }) => {
      const { reference } = options;
      if (reference !== undefined && !isRequestId(reference))
        throw new Error(requestIdError('--reference', reference));
      const microUsd = /^\d{1,7}(\.\d{1,6})?$/.test(usd) ? Math.round(Number(usd) * 1e6) : 0;
      if (microUsd <= 0) throw new Error(`credits must be a positive amount of USD, got "${usd}"`);
      const row = await withDatabase(async (db) => {
        const { plan: name } = await describeOrganization(db, organizationId);
        if (planRows[name].paysWith !== 'credits')
          throw new Error(
            `the plan ${name} pays with minutes: plan set ${organizationId} --minutes`,
          );
        const grant = { organizationId, microUsd, reference, actor: operator() };
        if (!(await grantCredits(db, grant)))
          process.stderr.write(`${reference} had added them; nothing is added again\n`);
        return accountRow(db, organizationId);
      });
      printRows([row], {});
    });
}

const gibibyte = 2 ** 30;
/** Bytes are read as numbers, which are exact up to 2^53. */
const maxGib = 2 ** 53 / gibibyte - 1;

/** What the plan does not count is null. */
async function accountRow(db: Db, organizationId: string) {
  const organization = await describeOrganization(db, organizationId);
  const { name, plan, suspended, erasedAt, overageSeconds } = organization;
  const balance = await balanceOf(db, organizationId);
  const credits = await creditsOf(db, organizationId);
  const { quota, used } = await storageOf(db, organizationId);
  const inMinutes = planRows[plan].paysWith === 'minutes';
  return {
    ...{ organizationId, name, plan, suspended, erasedAt: erasedAt?.toISOString() ?? null },
    periodSince: inMinutes ? balance.period.toISOString().slice(0, 10) : null,
    planMinutes: inMinutes ? balance.allowanceSeconds / 60 : null,
    usedSeconds: balance.usedSeconds,
    leftSeconds: inMinutes ? balance.remainingSeconds : null,
    overageMinutes: overageSeconds === null ? 'unlimited' : overageSeconds / 60,
    storedGib: Number((used.bytes / gibibyte).toFixed(3)),
    storageGib: quota.bytes / gibibyte,
    files: used.files,
    maxFiles: quota.files,
    // Of an earlier plan they are kept, for when it comes back.
    creditUsd: !inMinutes || credits !== 0 ? (credits / 1e6).toFixed(6) : null,
  };
}
