// Maps an issue of a schema to the error that the caller reads.
import { z } from 'zod';
import { modelError } from '../../models/contract/served-models.ts';
import { isErrorCode, ServiceError } from '../../models/contract/errors.ts';
import { describeAbsent, describeIssue, hasOwnMessage, innermost } from './issue-message.ts';

export interface ValidatedPart {
  /** The value that was validated. */
  readonly given: unknown;
  /** What a member is called in messages: `field of this request`, `parameter here`. */
  readonly member: string;
  readonly location?: 'query';
}

/** For `safeParse`: of an unknown member, the members that its object takes. */
export const takenMembers: z.core.$ZodErrorMap = ({ code, inst }) =>
  code === 'unrecognized_keys' && inst instanceof z.ZodObject
    ? Object.keys(inst.shape).join(', ') || 'none'
    : undefined;

/**
 * A message of the schema that ends with a full stop is used as it is; others follow the name of
 * their field. A schema sets a code other than `invalid_field` in `params.code`.
 */
export function toValidationError(found: z.core.$ZodIssue, part: ValidatedPart): ServiceError {
  const { given, member, location } = part;
  const issue = innermost(found);
  if (issue.code === 'unrecognized_keys') {
    const object = issue.path.length === 0 ? 'it' : `\`${join(issue.path)}\``;
    const taken = hasOwnMessage(issue) ? `; ${object} takes ${issue.message}` : '';
    return unknownField(issue.keys[0] ?? '', `${member}${taken}`, issue.path);
  }
  const place = placeOf(issue.path, given);
  const model = toModelError(issue, place.value);
  if (model) return model;
  const param = paramOf(issue.path, part) || undefined;
  const message = messageOf(issue, place, param);
  const details = { param, ...(location && { location }) };
  if (issue.code === 'custom' && isErrorCode(issue.params?.code)) {
    return new ServiceError(issue.params.code, message, details);
  }
  const code = !location && place.isAbsent ? 'missing_field' : 'invalid_field';
  return new ServiceError(code, message, details);
}

/**
 * @param owner the end of the sentence, after "`x` is not a "
 * @param path of the object that has it
 */
export function unknownField(
  name: string,
  owner: string,
  path: readonly PropertyKey[] = [],
): ServiceError {
  const param = join([...path, name]);
  return new ServiceError('unknown_field', `\`${param}\` is not a ${owner}.`, { param });
}

interface Place {
  readonly value: unknown;
  /** The object that would have it is there. */
  readonly isAbsent: boolean;
}

function placeOf(path: readonly PropertyKey[], given: unknown): Place {
  let value = given;
  for (const key of path) {
    if (typeof value !== 'object' || value === null) return { value, isAbsent: false };
    if (!Object.hasOwn(value, key)) return { value: undefined, isAbsent: true };
    value = (value as Record<PropertyKey, unknown>)[key];
  }
  return { value, isAbsent: false };
}

/** Fields of forms and parameters have no members, whatever their text is read as. */
function paramOf(path: readonly PropertyKey[], { given, location }: ValidatedPart): string {
  const isText = typeof placeOf(path.slice(0, 1), given).value === 'string';
  return join(location || isText ? path.slice(0, 1) : path);
}

/** Names that the caller has chosen may be long. */
function join(path: readonly PropertyKey[]): string {
  return path.map((key) => String(key).slice(0, 64)).join('.');
}

function messageOf(issue: z.core.$ZodIssue, place: Place, param: string | undefined): string {
  const subject = param ? `\`${param}\`` : 'The body';
  if (hasOwnMessage(issue) && !isModel(issue)) {
    if (issue.message.endsWith('.')) return issue.message;
    return param ? `${subject}: ${issue.message}.` : `${issue.message}.`;
  }
  const rest = place.isAbsent ? describeAbsent(issue) : describeIssue(issue, place.value);
  return `${subject} ${rest}.`;
}

function isModel(issue: z.core.$ZodIssue): issue is z.core.$ZodIssueInvalidValue {
  return issue.code === 'invalid_value' && issue.path.join() === 'model';
}

/** An unsuitable model has error codes of its own; null for what is no text. */
function toModelError(issue: z.core.$ZodIssue, model: unknown): ServiceError | null {
  if (!isModel(issue) || typeof model !== 'string') return null;
  const rejection = modelError(model, issue.values.map(String));
  const message = issue.message.endsWith('.') ? issue.message : rejection.message;
  return new ServiceError(rejection.code, message, { param: 'model' });
}
