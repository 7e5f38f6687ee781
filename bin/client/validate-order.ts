// Checks the options of a bulk run by the rules of the service, in the words of the command line.
import { checkOptions } from '../../api/batches/batch-options.ts';
import { batchRequestSchema } from '../../api/batches/schemas.ts';
import type { BatchRequest } from '../../clients/typescript/src/schemas.ts';

/** The options of the command line by the fields that they set. */
const optionNames = {
  'options.channel_roles': '--roles',
  'options.channels': '--channels',
  'options.num_speakers': '--num-speakers',
  'options.include_logits': '--include-logits',
  'options.diarize': '--diarize',
  'options.language': '--language',
  'options.format_numbers': '--format-numbers',
  'options.redact': '--redact',
  'options.redact_names': '--redact-names',
  'options.vocabulary': '--vocabulary',
  model: '--model',
} as const;

/** @throws an error that names the first option that the service would reject */
export function validateOrder(order: unknown): asserts order is Omit<BatchRequest, 'items'> {
  const parsed = batchRequestSchema.omit({ items: true }).safeParse(order);
  if (!parsed.success) {
    const [{ path, message } = { path: [], message: 'invalid' }] = parsed.error.issues;
    throw new Error(inOptions(`\`${path.slice(0, 2).join('.')}\`: ${message}`));
  }
  try {
    checkOptions(parsed.data);
  } catch (error) {
    throw new Error(inOptions((error as Error).message), { cause: error });
  }
}

function inOptions(message: string): string {
  return Object.entries(optionNames).reduce(
    (text, [field, option]) => text.replaceAll(`\`${field}\``, option),
    message,
  );
}
