// `svc admin usage`, `request` and `audit`: usage, the state of a request, and changes.
import type { Command } from 'commander';
import { z } from 'zod';
import { listAudit } from '../../../db/audit.ts';
import { describeOrganization } from '../../../db/organizations.ts';
import { describeRequest, type RequestDescription } from '../../../db/request-report.ts';
import { usageReport, type UsageSpan } from '../../../db/usage-report.ts';
import { parseWhole } from '../arguments.ts';
import { workflowsOf } from '../request-workflows.ts';
import { printRows, withDatabase, type PrintOptions } from './database.ts';

interface UsageOptions extends PrintOptions {
  readonly from?: string;
  readonly to?: string;
}

interface AuditOptions extends PrintOptions {
  readonly org?: string;
  readonly limit: number;
}

export function addReportCommands(admin: Command): void {
  admin
    .command('usage <organization>')
    .description('seconds and reference costs by day, model and task')
    .option('--from <day>', 'first day, UTC: 2026-11-01', parseDay)
    .option('--to <day>', 'last day', parseDay)
    .option('--json', 'print JSON')
    .action(async (organizationId: string, { from, to, ...options }: UsageOptions) => {
      const span = { organizationId, from: from ?? null, to: to ?? null };
      const rows = await withDatabase(async (db) => {
        await describeOrganization(db, organizationId);
        return usageReport(db, span);
      });
      const priced = rows.map(({ microUsd, ...rest }) => ({
        ...rest,
        usd: (microUsd / 1e6).toFixed(6),
      }));
      printRows(priced, options);
      if (rows.length === 0 && !options.json) process.stdout.write(`no usage${spanText(span)}\n`);
    });
  admin
    .command('request <organization> <request-id>')
    .description('state of a request, and its workflow in the Temporal UI')
    .option('--json', 'print JSON')
    .action(async (organizationId: string, requestId: string, options: PrintOptions) => {
      const found = await withDatabase((db) => describeRequest(db, organizationId, requestId));
      if (!found) throw new Error(`${organizationId} has no request ${requestId}`);
      printRows([requestRow(found)], options);
    });
  admin
    .command('audit')
    .description('changes of accounts, newest first')
    .option('--org <organization>', 'limit to one organization')
    .option('--limit <n>', 'maximum number of entries', parseWhole('--limit', 1), 50)
    .option('--json', 'print JSON')
    .action(async ({ org, limit, ...options }: AuditOptions) => {
      const entries = await withDatabase(async (db) => {
        if (org !== undefined) await describeOrganization(db, org);
        return listAudit(db, { organizationId: org ?? null, limit });
      });
      const rows = entries.map(({ at, organizationId, actor, action, details }) => ({
        at: at.toISOString(),
        ...{ organizationId, actor, action },
        details: JSON.stringify(details),
      }));
      printRows(rows, options);
    });
}

function spanText({ from, to }: UsageSpan): string {
  return `${from === null ? '' : ` since ${from}`}${to === null ? '' : ` until ${to}`}`;
}

function parseDay(text: string): string {
  // PostgreSQL has no year 0.
  if (z.iso.date().safeParse(text).success && !text.startsWith('0000')) return text;
  throw new Error(`a day must be one of the calendar, like 2026-11-21, got "${text}"`);
}

function requestRow({ admittedAt, changedAt, ...request }: RequestDescription) {
  const { organizationId: _, requestId: __, ...rest } = request;
  return {
    ...rest,
    admittedAt: admittedAt.toISOString(),
    changedAt: changedAt.toISOString(),
    ...workflowsOf(request),
  };
}
