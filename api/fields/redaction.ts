// The form fields `redact` and `redact_names`, and the options of batches with these names.
import { z } from 'zod';
import { redactionKinds } from '../../models/contract/redaction.ts';
import { plainText } from '../http/plain-text.ts';

const maxNames = 200;
const maxNameLength = 100;
const allowed = redactionKinds.join(', ');

export const redactDescription =
  'What is removed from the transcript: `redactions` of the result tells what and when.';
export const redactNamesDescription = 'Names of people that are removed as well.';

/** An option of batches. */
export const redactKinds = z.array(z.enum(redactionKinds)).max(redactionKinds.length);
/** A line break or tab within a name is a blank, as it is where the words of names are read. */
const withPlainBlanks = (text: string): string => text.trim().replaceAll(/\s+/g, ' ');

export const redactNames = z
  .array(
    z
      .string()
      .overwrite(withPlainBlanks)
      .min(1)
      .max(maxNameLength)
      .refine(...plainText),
  )
  .max(maxNames);

const listOf = (text: string): readonly string[] =>
  text.split(',').map(withPlainBlanks).filter(Boolean);

/** Lists in forms are separated by commas. */
export const redactionFields = {
  redact: z
    .string()
    .transform(listOf)
    .pipe(
      z.array(
        z.enum(redactionKinds, {
          error: ({ input }) => `\`redact\` takes ${allowed}, got "${String(input).slice(0, 32)}".`,
        }),
      ),
    )
    .optional()
    .meta({
      description: `${redactDescription} Separated by commas: ${allowed}.`,
      override: { type: 'string' },
    }),
  redact_names: z
    .string()
    .transform(listOf)
    .pipe(
      z
        .array(
          z
            .string()
            .max(maxNameLength, {
              error: `\`redact_names\` takes names of up to ${maxNameLength} characters.`,
            })
            .refine(...plainText),
        )
        .max(maxNames, { error: `\`redact_names\` takes up to ${maxNames} names.` }),
    )
    .optional()
    .meta({
      description: `${redactNamesDescription} Separated by commas.`,
      override: { type: 'string' },
    }),
};
