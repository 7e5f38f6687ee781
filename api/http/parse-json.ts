// Parses a JSON body and validates it against its schema.
import type { z } from 'zod';
import { ServiceError } from '../../models/contract/errors.ts';
import { findDuplicateMember } from './duplicate-member.ts';
import { duplicate } from './form-errors.ts';
import { takenMembers, toValidationError } from './validation-error.ts';

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
    throw new ServiceError('invalid_json', 'The body must be JSON in UTF-8.');
  }
}

/** @throws ServiceError unknown_field, missing_field, invalid_field, model_... */
export function checkJson<S extends z.ZodType>(given: unknown, schema: S): z.output<S> {
  const parsed = schema.safeParse(given, { error: takenMembers });
  if (parsed.success) return parsed.data;
  throw toValidationError(parsed.error.issues[0]!, { given, member: 'field of this request' });
}
