// Request and response schemas of webhooks.
import { z } from 'zod';
import { maxUrlLength } from './receiver.ts';

/** The address of a receiver; what may be called is decided by `parseReceiver`. */
export const receiverField = z
  .string()
  .max(maxUrlLength)
  .meta({ override: { format: 'uri' } });

export const webhookTestSchema = z
  .strictObject({ url: receiverField })
  .meta({ id: 'WebhookTestRequest' });

export const webhookSecretSchema = z
  .strictObject({ object: z.literal('webhook.secret'), secret: z.string() })
  .meta({ id: 'WebhookSecret' });

export const webhookTestResultSchema = z
  .strictObject({
    object: z.literal('webhook.test'),
    delivered: z.boolean(),
    status: z.int().nullable().describe("The receiver's; null when it was not reached."),
    error: z.string().nullable(),
  })
  .meta({ id: 'WebhookTest' });
