// Validates the text fields of a form against its schema: contract.md, "Request shapes".
import type { ParameterizedContext } from 'koa';
import { z } from 'zod';
import type { Fields } from './multipart.ts';
import { invalid } from './form-errors.ts';
import { parameterNames } from './query.ts';
import { toValidationError, unknownField } from './validation-error.ts';

/** A strict object rejects unknown fields; a loose one ignores and reports them. */
export type FormSchema = z.ZodObject;

export interface CheckedForm<S extends FormSchema> {
  readonly values: z.output<S>;
  /** Names of fields and files that the form does not know, whatever their values. */
  readonly ignored: readonly string[];
}

/**
 * @param unvalidated names of fields that have no effect in this request, so their values are not
 * validated
 * @throws ServiceError unknown_field, invalid_field, model_... for what the form does not accept
 */
export function checkForm<S extends FormSchema>(
  fields: Fields,
  schema: S,
  unvalidated: readonly string[] = [],
): CheckedForm<S> {
  const known = Object.keys(schema.shape);
  const validated = known.filter((name) => !unvalidated.includes(name));
  const cut = validated.find((name) => name !== 'file' && fields.unusable.has(name));
  if (cut !== undefined) {
    throw invalid(cut, `\`${cut}\` takes text of at most ${fields.maxFieldBytes} bytes.`);
  }
  const ignored = [...fields.keys(), ...fields.unusable].filter((name) => !known.includes(name));
  const [unknown] = ignored;
  if (unknown !== undefined && isStrict(schema)) {
    throw unknownField(unknown, `field of this form; it takes ${known.join(', ')}`);
  }
  const texts = [...fields].filter(([name]) => validated.includes(name));
  // Whether there is a file was determined when its content arrived.
  const given = { ...Object.fromEntries(texts), file: null };
  const parsed = schema.safeParse(given);
  if (parsed.success) return { values: parsed.data, ignored };
  throw toValidationError(parsed.error.issues[0]!, { given, member: 'field of this form' });
}

function isStrict({ def: { catchall } }: FormSchema): boolean {
  return catchall instanceof z.ZodNever;
}

/** Clients reject an answer whose headers are longer than 16 KiB together. */
const maxNamesLength = 1_000;

/**
 * Reports in a header what a loose form ignored: fields by their names, percent-encoded; parameters
 * of the query after a `?`; and as `+n` how many more there are. Neither sign occurs in a name.
 */
export function nameIgnoredFields(
  ctx: Pick<ParameterizedContext, 'set' | 'query'>,
  fields: readonly string[],
): void {
  const encode = (name: string): string => encodeURIComponent(name.slice(0, 64).toWellFormed());
  const names = [...fields.map(encode), ...parameterNames(ctx).map((name) => `?${encode(name)}`)];
  if (names.length === 0) return;
  let length = 0;
  const fitting = names.filter((name) => (length += name.length + 2) <= maxNamesLength);
  const more = names.length - fitting.length;
  if (more > 0) fitting.push(`+${more}`);
  ctx.set('X-Svc-Ignored-Fields', fitting.join(', '));
}
