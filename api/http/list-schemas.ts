// Schemas of lists and deletions: their query and their bodies.
import { z } from 'zod';
import { wholeNumberField } from './form-fields.ts';
import { plainText } from './plain-text.ts';

const maxPageItems = 1_000;
const defaultPageItems = 100;

/** Query of every list. */
export const pageQuerySchema = z.strictObject({
  limit: wholeNumberField({ min: 1, max: maxPageItems })
    .default(defaultPageItems)
    .meta({ override: { default: defaultPageItems } }),
  after: z
    .string()
    .max(128)
    .refine(...plainText)
    .optional()
    .describe('`last_id` of the page before, while that is kept.'),
});

/** @param id of the component */
export function listOf<T extends z.ZodType>(item: T, id: string) {
  return z
    .strictObject({
      object: z.literal('list'),
      data: z.array(item),
      first_id: z.string().nullable(),
      last_id: z.string().nullable(),
      has_more: z.boolean(),
    })
    .meta({ id });
}

export const deletedSchema = z
  .strictObject({ id: z.string(), object: z.string(), deleted: z.literal(true) })
  .meta({ id: 'Deleted' });
