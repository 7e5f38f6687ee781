// Validates query parameters against their schema; empty text counts as absent, as in forms.
import type { ParameterizedContext } from 'koa';
import { z } from 'zod';
import { ServiceError } from '../../models/contract/errors.ts';
import { toValidationError } from './validation-error.ts';

/** The query of an endpoint that reads everything from the form. */
export const noParameters = z.strictObject({});

/** @throws ServiceError invalid_field, unknown_field */
export function readQuery<S extends z.ZodType>(
  ctx: Pick<ParameterizedContext, 'query'>,
  schema: S,
): z.output<S> {
  const given = Object.fromEntries(parameterNames(ctx).map((name) => [name, ctx.query[name]]));
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0]!;
  const part = { given, member: 'parameter here', location: 'query' } as const;
  // Resonance-2 reports the location of an unknown one as well.
  const { code, message, param } = toValidationError(issue, part);
  throw new ServiceError(code, message, { param: param ?? undefined, location: part.location });
}

/** Names of the parameters that have a value. */
export function parameterNames({ query }: Pick<ParameterizedContext, 'query'>): readonly string[] {
  return Object.keys(query).filter((name) => query[name] !== '');
}
