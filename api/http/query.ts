// Query parameters with a strict shape.
import type { ParameterizedContext } from 'koa';
import type { z } from 'zod';
import { ServiceError } from '../../models/contract/errors.ts';

/** @throws ServiceError invalid_field, unknown_field */
export function readQuery<S extends z.ZodType>(
  ctx: Pick<ParameterizedContext, 'query'>,
  schema: S,
): z.output<S> {
  const parsed = schema.safeParse({ ...ctx.query });
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0]!;
  if (issue.code === 'unrecognized_keys') {
    const param = (issue.keys[0] ?? '').slice(0, 64);
    throw new ServiceError('unknown_field', `\`${param}\` is not a parameter here.`, { param });
  }
  const param = issue.path.join('.');
  throw new ServiceError('invalid_field', `\`${param}\`: ${issue.message}.`, { param });
}
