// `svc where`: a call by its request id or by a customer's own id for it, whoever the customer is.
import type { Command } from 'commander';
import { requestHash } from '../../db/object-keys.ts';
import { findWhereabouts, type Whereabouts } from '../../db/whereabouts.ts';
import { batchWorkflowId, requestWorkflowId } from '../../workflows/ids.ts';
import { printRows, withDatabase, type PrintOptions } from './admin/database.ts';

export function addWhereCommand(program: Command): void {
  program
    .command('where <id>')
    .description(
      'find a call by its X-Request-ID or by the custom_id of an item, with its workflow',
    )
    .option('--json', 'print JSON')
    .action(async (id: string, options: PrintOptions) => {
      const found = await withDatabase((db) => findWhereabouts(db, id));
      if (found.length === 0) {
        throw new Error(
          `nothing has the id "${id}": it was refused before it was admitted, or it is older ` +
            'than what is kept',
        );
      }
      printRows(found.map(rowOf), options);
    });
}

function rowOf({ changedAt, state, ...found }: Whereabouts) {
  const { organizationId, requestId, batchId } = found;
  const own = requestWorkflowId(organizationId, requestHash(requestId));
  const hasBegun = state !== null && state !== 'admitted';
  return {
    ...found,
    state: state ?? 'queued',
    changedAt: changedAt?.toISOString() ?? null,
    // An item has a workflow of its own once its batch has come to it.
    workflow: batchId !== null && !hasBegun ? batchWorkflowId(organizationId, batchId) : own,
  };
}
