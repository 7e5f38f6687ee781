// Validates query parameters against their schema; empty text counts as absent, as in forms.
import type { ParameterizedContext } from 'koa';
import type { z } from 'zod';
import { toValidationError } from './validation-error.ts';

/** @throws ServiceError invalid_field, unknown_field */
export function readQuery<S extends z.ZodType>(
  ctx: Pick<ParameterizedContext, 'query'>,
  schema: S,
): z.output<S> {
  const given = Object.fromEntries(Object.entries(ctx.query).filter(([, text]) => text !== ''));
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  throw toValidationError(parsed.error.issues[0]!, {
    given,
    member: 'parameter here',
    location: 'query',
  });
}
