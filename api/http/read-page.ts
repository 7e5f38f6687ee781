// The page of a list that a query asks for.
import type { ParameterizedContext } from 'koa';
import type { Db } from '../../db/database.ts';
import { findPageStart, type PageRequest } from '../../db/pages.ts';
import { invalid } from './form-errors.ts';
import { pageQuerySchema } from './list-schemas.ts';
import { readQuery } from './query.ts';
import type { RequestState } from './request-state.ts';

const nouns = { files: 'file', batches: 'batch' } as const;

/**
 * A cursor whose row is deleted is an error: an empty page would say that the list has ended.
 * @throws ServiceError invalid_field, unknown_field
 */
export async function readPage(
  ctx: Pick<ParameterizedContext<RequestState>, 'query' | 'state'>,
  db: Db,
  table: keyof typeof nouns,
): Promise<PageRequest> {
  const { limit, after } = readQuery(ctx, pageQuerySchema);
  if (after === undefined) return { limit, after: null };
  const position = await findPageStart(db, table, ctx.state.account.organizationId, after);
  if (position) return { limit, after: position };
  const noun = nouns[table];
  const rest = 'after one that is deleted, begin with the first page again';
  throw invalid('after', `\`after\` takes the id of a ${noun} that is kept; ${rest}.`);
}
