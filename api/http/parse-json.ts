// What a JSON body says, held against its shape.
import type { z } from 'zod';
import { ServiceError } from '../../models/contract/errors.ts';
import { findDuplicateMember } from './duplicate-member.ts';
import { requireModel } from '../speech/request.ts';
import { duplicate } from './refusals.ts';

/** @throws ServiceError invalid_json, duplicate_field */
export function parseJson(body: Uint8Array): unknown {
  const { text, value } = decode(body);
  const twice = findDuplicateMember(text);
  if (twice) throw duplicate(twice.join('.'));
  return value;
}

function decode(body: Uint8Array): { readonly text: string; readonly value: unknown } {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(body);
    return { text, value: JSON.parse(text) };
  } catch {
    throw new ServiceError('invalid_json', 'The body is not JSON in UTF-8.');
  }
}

/** @throws ServiceError unknown_field, missing_field, invalid_field, model_... */
export function checkJson<S extends z.ZodType>(given: unknown, schema: S): z.output<S> {
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  throw refusal(parsed.error.issues[0]!, given);
}

function refusal(issue: z.core.$ZodIssue, given: unknown): ServiceError {
  const param = issue.path.join('.') || null;
  refuseModel(issue, given);
  if (issue.code === 'unrecognized_keys') {
    const [name = ''] = issue.keys;
    const message = `\`${name.slice(0, 64)}\` is not a field of this request.`;
    return new ServiceError('unknown_field', message, { param: name.slice(0, 64) });
  }
  const [name] = issue.path;
  const absent = issue.path.length === 1 && !Object.hasOwn(given as object, name!);
  const message = `${param ? `\`${param}\`: ` : ''}${issue.message}.`;
  return new ServiceError(absent ? 'missing_field' : 'invalid_field', message, {
    param: param ?? undefined,
  });
}

/** A model that is not taken has codes of its own. @throws ServiceError model_retired, ... */
function refuseModel(issue: z.core.$ZodIssue, given: unknown): void {
  if (issue.code !== 'invalid_value' || issue.path.join() !== 'model') return;
  const { model } = given as { readonly model?: unknown };
  if (typeof model === 'string') requireModel(model, issue.values.map(String));
}
