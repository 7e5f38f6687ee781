// Maps an issue of a schema to the error that the caller reads.
import type { z } from 'zod';
import { modelError } from '../../models/contract/served-models.ts';
import { isErrorCode, ServiceError } from '../../models/contract/errors.ts';

export interface ValidatedPart {
  /** The value that was validated. */
  readonly given: unknown;
  /** What a member is called in messages: `field of this request`, `parameter here`. */
  readonly member: string;
  readonly location?: 'query';
}

/**
 * A message that ends with a full stop is used as it is; others follow the name of their field. A
 * schema sets a code other than `invalid_field` in `params.code`.
 */
export function toValidationError(issue: z.core.$ZodIssue, part: ValidatedPart): ServiceError {
  const { given, member, location } = part;
  if (issue.code === 'unrecognized_keys') return unknownField(issue.keys[0] ?? '', member);
  const model = toModelError(issue, given);
  if (model) return model;
  const param = issue.path.join('.') || undefined;
  const named = param ? `\`${param}\`: ${issue.message}.` : `${issue.message}.`;
  const message = issue.message.endsWith('.') ? issue.message : named;
  const details = { param, ...(location && { location }) };
  if (issue.code === 'custom' && isErrorCode(issue.params?.code)) {
    return new ServiceError(issue.params.code, message, details);
  }
  const code = !location && isAbsent(issue, given) ? 'missing_field' : 'invalid_field';
  return new ServiceError(code, message, details);
}

/** @param owner the end of the sentence, after "`x` is not a " */
export function unknownField(name: string, owner: string): ServiceError {
  const param = name.slice(0, 64);
  return new ServiceError('unknown_field', `\`${param}\` is not a ${owner}.`, { param });
}

/** An unsuitable model has error codes of its own. */
function toModelError(issue: z.core.$ZodIssue, given: unknown): ServiceError | null {
  if (issue.code !== 'invalid_value' || issue.path.join() !== 'model') return null;
  const { model } = given as { readonly model?: unknown };
  if (typeof model !== 'string') return null;
  const rejection = modelError(model, issue.values.map(String));
  const message = issue.message.endsWith('.') ? issue.message : rejection.message;
  return new ServiceError(rejection.code, message, { param: 'model' });
}

function isAbsent({ path }: z.core.$ZodIssue, given: unknown): boolean {
  return path.length === 1 && !Object.hasOwn(given as object, path[0]!);
}
