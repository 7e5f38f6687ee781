// Fields of forms and queries as zod schemas: they parse text, and OpenAPI shows the parsed type.
import { z } from 'zod';
import { modelError } from '../../models/contract/served-models.ts';

/** An error message that names the field, the accepted values and the received one. */
function expects(allowed: string): (issue: z.core.$ZodRawIssue) => string {
  return ({ path = [], input }) =>
    `\`${path.join('.')}\` takes ${allowed}, got "${excerpt(input)}".`;
}

function excerpt(input: unknown): string {
  return String(input).slice(0, 32);
}

/** Other text is left as it is. */
export function readBoolean(text: unknown): unknown {
  const lower = String(text).toLowerCase();
  if (lower === 'true' || lower === '1') return true;
  return lower === 'false' || lower === '0' ? false : text;
}

/**
 * True, false, 1 or 0 in any case. OpenAPI shows no default: a generated client would send it, and
 * the strict forms would reject it.
 */
export function booleanField(description: string) {
  const error = expects('true, false, 1 or 0');
  return z
    .preprocess(readBoolean, z.boolean({ error }))
    .optional()
    .meta({ description: `${description} Absent: false.` });
}

/** A whole number in decimal digits. */
export function wholeNumberField({ min, max }: { readonly min: number; readonly max: number }) {
  const error = expects(`a whole number from ${min} to ${max}`);
  const read = (text: unknown): unknown => (/^\d{1,15}$/.test(String(text)) ? Number(text) : text);
  return z.preprocess(read, z.int({ error }).min(min, { error }).max(max, { error }));
}

/** One of a few words. */
export function choiceField<T extends string>(allowed: readonly [T, ...T[]]) {
  return z.enum(allowed, { error: expects(allowed.join(', ')) });
}

/**
 * The model; absent, the first one. An unsuitable model has error codes of its own.
 * @param others ids that the endpoint serves with other forms
 */
export function modelField<T extends string>(
  served: readonly [T, ...T[]],
  others: readonly string[] = [],
) {
  const error = ({ input }: z.core.$ZodRawIssue): string =>
    modelError(String(input), [...served, ...others]).message;
  return z.enum(served, { error }).default(served[0] as z.core.util.NoUndefined<T>);
}

/** The recording; its content is streamed and not part of the parsed form. */
export function fileField(description: string) {
  return z.unknown().meta({ description, override: { type: 'string', format: 'binary' } });
}
