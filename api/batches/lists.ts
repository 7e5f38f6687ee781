// Lists of batches and of their items, read in steps while they are sent.
import { countItemsOf } from '../../db/batch-counts.ts';
import { readItems, type ItemRange } from '../../db/batch-items.ts';
import { batchById, findBatches, listBatches } from '../../db/batches.ts';
import type { Db } from '../../db/database.ts';
import type { PageRequest } from '../../db/pages.ts';
import { ServiceError } from '../../models/contract/errors.ts';
import { inSteps, stepRows, type Step } from '../http/list-stream.ts';
import { toBatchBody, toItemBody } from './response.ts';
import type { BatchBody, BatchItemBody } from './schemas.ts';

/** A page of batches; one that is deleted while the list is sent is left out. */
export async function* batchSteps(
  db: Db,
  organizationId: string,
  request: PageRequest,
): AsyncGenerator<Step<BatchBody>> {
  const page = await listBatches(db, organizationId, request);
  yield* inSteps(page, async (ids) => {
    const batches = await findBatches(db, organizationId, ids);
    const counts = await countItemsOf(db, batches);
    return batches.map((batch) => toBatchBody(batch, counts.get(batch.id)!, Date.now()));
  });
}

/** A page of items, read while it is sent. @throws ServiceError not_found as `requireUndeleted` */
export async function* itemSteps(
  db: Db,
  batchId: string,
  { from, limit, ...range }: ItemRange & { readonly limit: number },
): AsyncGenerator<Step<BatchItemBody>> {
  for (let left = limit, next = from, more = true; left > 0 && more;) {
    const wanted = Math.min(left, stepRows);
    const found = await readItems(db, batchId, { ...range, from: next, limit: wanted + 1 });
    const rows = found.slice(0, wanted);
    more = found.length > wanted;
    if (!more) await requireUndeleted(db, batchId);
    yield { rows: rows.map(toItemBody), more };
    left -= rows.length;
    next = (rows.at(-1)?.position ?? next) + 1;
  }
}

/**
 * The items of a batch are deleted with it, so that a list which is read in steps would end as if
 * it were complete.
 * @throws ServiceError not_found
 */
export async function requireUndeleted(db: Db, batchId: string): Promise<void> {
  if ((await batchById(db, batchId)) !== null) return;
  throw new ServiceError('not_found', 'The batch was deleted while it was being read.');
}
