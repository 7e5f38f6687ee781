// `svc where`: finds requests by their id or custom id, and batches by their id, idempotency key or
// id of a Hume job, in all organizations.
import type { Command } from 'commander';
import { jobKey } from '../../api/hume-compatible/create-job.ts';
import type { StoredBatch } from '../../db/batch-tables.ts';
import { batchById } from '../../db/batches.ts';
import { findBatchesByKey, findRequests, type FoundRequest } from '../../db/request-lookup.ts';
import { batchWorkflowId } from '../../workflows/ids.ts';
import { printRows, withDatabase, type PrintOptions } from './admin/database.ts';
import { workflowsOf } from './request-workflows.ts';

export function addWhereCommand(program: Command): void {
  program
    .command('where <id>')
    .description(
      'find a request by its X-Request-ID or custom_id, or a batch by its id, Idempotency-Key or ' +
        'Hume job id, with its workflow',
    )
    .option('--json', 'print JSON')
    .action(async (id: string, options: PrintOptions) => {
      const { requests, batches } = await withDatabase(async (db) => {
        const batch = await batchById(db, id);
        const keyed = await findBatchesByKey(db, id);
        // The id of a job of Hume's clients is the key of its batch.
        const jobs = await findBatchesByKey(db, jobKey(id));
        return {
          requests: (await findRequests(db, id)).map(rowOf),
          batches: [...(batch ? [batch] : []), ...keyed, ...jobs].map(rowOfBatch),
        };
      });
      if (requests.length + batches.length === 0) {
        throw new Error(
          `no request or batch has the id "${id}": it was rejected before admission, or it is ` +
            'older than the retention time',
        );
      }
      if (options.json) return printRows([...requests, ...batches], options);
      printRows(requests, options);
      printRows(batches, options);
    });
}

/** Its items are found by their custom ids. */
function rowOfBatch({ id, organizationId, status, total, ...batch }: StoredBatch) {
  const { model, task, idempotencyKey, createdAt } = batch;
  return {
    ...{ organizationId, batchId: id, idempotencyKey, status, items: total, model, task },
    createdAt: createdAt.toISOString(),
    workflow: batchWorkflowId(organizationId, id),
  };
}

function rowOf({ changedAt, state, ...found }: FoundRequest) {
  return {
    ...found,
    state: state ?? 'queued',
    changedAt: changedAt?.toISOString() ?? null,
    ...workflowsOf(found),
  };
}
