// `svc admin usage` and `svc admin audit`: what was used, and who changed what.
import type { Command } from 'commander';
import { listAudit } from '../../../db/audit.ts';
import { usageReport } from '../../../db/usage-report.ts';
import { parseWhole, printRows, withDatabase, type PrintOptions } from './database.ts';

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
      const rows = await withDatabase((db) => usageReport(db, span));
      const priced = rows.map(({ microUsd, ...rest }) => ({
        ...rest,
        usd: (microUsd / 1e6).toFixed(6),
      }));
      printRows(priced, options);
    });
  admin
    .command('audit')
    .description('changes of accounts, newest first')
    .option('--org <organization>', 'of one organization')
    .option('--limit <n>', 'at most so many', parseWhole('--limit', 1), 50)
    .option('--json', 'print JSON')
    .action(async ({ org, limit, ...options }: AuditOptions) => {
      const entries = await withDatabase((db) =>
        listAudit(db, { organizationId: org ?? null, limit }),
      );
      const rows = entries.map(({ at, organizationId, actor, action, details }) => ({
        at: at.toISOString(),
        ...{ organizationId, actor, action },
        details: JSON.stringify(details),
      }));
      printRows(rows, options);
    });
}

function parseDay(text: string): string {
  if (/^\d{4}-\d{2}-\d{2}$/.test(text)) return text;
  throw new Error(`a day looks like 2026-11-21, not "${text}"`);
}
