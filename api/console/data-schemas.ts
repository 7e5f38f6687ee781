// What the console's pages ask the service for.
import { z } from 'zod';
import { wholeNumberField } from '../http/form-fields.ts';
import { plainText } from '../http/plain-text.ts';
import { batchIdPattern } from '../batches/schemas.ts';

const maxPage = 100;
const defaultPage = 25;

const text = (length: number) =>
  z
    .string()
    .max(length)
    .refine(...plainText);

/** Where a day begins depends on the time zone of the browser, which knows it. */
const instant = z.iso.datetime({ offset: true, error: 'must be an instant: 2026-11-24T00:00:00Z' });

export const searchQuerySchema = z.strictObject({
  q: text(500).default(''),
  speaker: text(64).optional(),
  label: text(32).optional(),
  language: z
    .string()
    .regex(/^[a-z]{2,3}$/)
    .optional(),
  /** Analysed at or after, and before. */
  from: instant.optional(),
  to: instant.optional(),
  after: z
    .string()
    .regex(/^batch_[0-9a-f]{24}\.\d{1,6}$/)
    .optional(),
  limit: wholeNumberField({ min: 1, max: maxPage }).default(defaultPage),
});

export const overviewQuerySchema = z.strictObject({
  days: wholeNumberField({ min: 1, max: 90 }).default(14),
});

/** The item of a batch that a page shows. */
export const itemQuerySchema = z.strictObject({
  batch: z.string().regex(batchIdPattern),
  item: wholeNumberField({ min: 0, max: 999_999 }),
});

/** Its result, or a view of it without what can be found by form. */
export const resultQuerySchema = itemQuerySchema.extend({
  view: z.enum(['whole', 'redacted']).default('whole'),
});

/** A name for each speaker, in the order of their numbers. */
export const speakerNamesSchema = z.strictObject({
  speakers: z
    .array(
      z
        .string()
        .trim()
        .min(1)
        .max(40)
        .refine(...plainText),
    )
    .min(1)
    .max(64),
});

export type SearchQuery = z.infer<typeof searchQuerySchema>;
