// Checks the options of a bulk run by the rules of the service, in the words of the command line.
import { checkOptions } from '../../api/batches/batch-options.ts';
import { batchRequestSchema } from '../../api/batches/schemas.ts';
import { toValidationError } from '../../api/http/validation-error.ts';
import type { BatchRequest } from '../../clients/typescript/src/schemas.ts';

/** The options of the command line by the fields that they set. */
const optionNames: Readonly<Record<string, string>> = {
  channel_roles: '--roles',
  channels: '--channels',
  num_speakers: '--num-speakers',
  include_logits: '--include-logits',
  diarize: '--diarize',
  language: '--language',
  format_numbers: '--format-numbers',
  redact: '--redact',
  redact_names: '--redact-names',
  vocabulary: '--vocabulary',
  model: '--model',
  task: '--task',
};

/** @throws an error that names the first option that the service would reject */
export function validateOrder(order: unknown): asserts order is Omit<BatchRequest, 'items'> {
  const parsed = batchRequestSchema.omit({ items: true }).safeParse(order);
  if (!parsed.success) {
    const part = { given: order, member: 'field of a batch' };
    throw new Error(inOptions(toValidationError(parsed.error.issues[0]!, part).message));
  }
  try {
    checkOptions(parsed.data);
  } catch (error) {
    throw new Error(inOptions((error as Error).message));
  }
}

/** The service's message with the names of the options in the place of its fields. */
export function inOptions(message: string): string {
  return message.replaceAll(
    /`(?:options\.)?(\w+)(?:\.\d+)?`/g,
    (text, field: string) => optionNames[field] ?? text,
  );
}
