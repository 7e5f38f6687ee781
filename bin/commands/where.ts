// `svc where`: finds requests by their id or custom id in all organizations.
import type { Command } from 'commander';
import type { StoredBatch } from '../../db/batch-tables.ts';
import { batchById } from '../../db/batches.ts';
import { idHash } from '../../db/object-keys.ts';
import { findRequests, type FoundRequest } from '../../db/request-lookup.ts';
import { batchWorkflowId, requestWorkflowId } from '../../workflows/ids.ts';
import { printRows, withDatabase, type PrintOptions } from './admin/database.ts';

export function addWhereCommand(program: Command): void {
  program
    .command('where <id>')
    .description('find a request by its X-Request-ID or custom_id, or a batch, with its workflow')
    .option('--json', 'print JSON')
    .action(async (id: string, options: PrintOptions) => {
      const rows = await withDatabase(async (db) => {
        const found = await findRequests(db, id);
        const batch = found.length === 0 ? await batchById(db, id) : null;
        return batch === null ? found.map(rowOf) : [rowOfBatch(batch)];
      });
      if (rows.length === 0) {
        throw new Error(
          `no request or batch has the id "${id}": it was rejected before admission, or it is ` +
            'older than the retention time',
        );
      }
      printRows(rows, options);
    });
}

/** Its items are found by their custom ids. */
function rowOfBatch({ id, organizationId, status, total, model, task, createdAt }: StoredBatch) {
  return {
    ...{ organizationId, batchId: id, status, items: total, model, task },
    createdAt: createdAt.toISOString(),
    workflow: batchWorkflowId(organizationId, id),
  };
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
