// `svc where`: finds requests by their id or custom id in all organizations.
import type { Command } from 'commander';
import { idHash } from '../../db/object-keys.ts';
import { findRequests, type FoundRequest } from '../../db/request-lookup.ts';
import { batchWorkflowId, requestWorkflowId } from '../../workflows/ids.ts';
import { printRows, withDatabase, type PrintOptions } from './admin/database.ts';

export function addWhereCommand(program: Command): void {
  program
    .command('where <id>')
    .description('find a request by its X-Request-ID or custom_id, with its workflow')
    .option('--json', 'print JSON')
    .action(async (id: string, options: PrintOptions) => {
      const found = await withDatabase((db) => findRequests(db, id));
      if (found.length === 0) {
        throw new Error(
          `no request has the id "${id}": it was rejected before admission, or it is older than ` +
            'the retention time',
        );
      }
      printRows(found.map(rowOf), options);
    });
}

function rowOf({ changedAt, state, ...found }: FoundRequest) {
  const { organizationId, requestId, batchId } = found;
  const own = requestWorkflowId(organizationId, idHash(requestId));
  const hasStarted = state !== null && state !== 'admitted';
  return {
    ...found,
    state: state ?? 'queued',
    changedAt: changedAt?.toISOString() ?? null,
    // An item has a workflow of its own once its batch has started it.
    workflow: batchId !== null && !hasStarted ? batchWorkflowId(organizationId, batchId) : own,
  };
}
