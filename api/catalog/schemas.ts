// Request and response schemas of the catalogs and the access to models.
import { z } from 'zod';
import type { CatalogModel } from '../../models/contract/catalog-row.ts';
import { models } from '../../models/contract/served-models.ts';

function idsWith(access: CatalogModel['access']): readonly string[] {
  return models.filter((model) => model.access === access).map(({ id }) => id);
}

const useCase = z
  .string()
  .min(10)
  .max(2_000)
  .refine((text) => text.trim() !== '', '`use_case` must not be blank.')
  // PostgreSQL cannot store it in text.
  .refine((text) => !text.includes('\0'), 'must not contain NUL characters')
  .overwrite((text) => text.trim())
  .meta({ example: 'Coaching of the agents of our call centre.' });

export const accessRequestSchema = z.strictObject({ use_case: useCase });

export const accessSchema = z
  .strictObject({
    model: z.enum(idsWith('approval')),
    status: z.enum(['not_requested', 'pending', 'approved', 'denied', 'revoked']),
    approved: z.boolean(),
    request_access_url: z.url().optional(),
  })
  .meta({ id: 'ModelAccess' });

export const entitlementSchema = z
  .strictObject({
    object: z.literal('model.access'),
    model: z.enum(idsWith('paid-plan')),
    customer: z.strictObject({
      key_id: z.string(),
      organization_id: z.string(),
      plan: z.string(),
    }),
    entitlement: z.literal('included_with_paid_plan'),
    billed: z.literal(false),
    consumes_credits: z.literal(false),
    consumes_plan_minutes: z.literal(false),
  })
  .meta({ id: 'Entitlement' });

export const modelListSchema = z
  .strictObject({
    object: z.literal('list'),
    data: z.array(
      z.strictObject({
        id: z.string(),
        object: z.literal('model'),
        lifecycle: z.enum(['stable', 'preview']),
        tasks: z.array(z.string()),
        languages: z.array(z.string()),
        labels: z
          .strictObject({ emotions: z.array(z.string()), styles: z.array(z.string()) })
          .optional(),
        limits: z.record(z.string(), z.number()),
        available: z.boolean(),
        bundle: z
          .strictObject({ name: z.string(), revision: z.string(), license: z.string() })
          .nullable(),
      }),
    ),
  })
  .meta({ id: 'ModelList' });

export const pricingSchema = z
  .strictObject({
    object: z.literal('pricing'),
    pricing_version: z.string(),
    currency: z.literal('USD'),
    models: z.array(
      z.strictObject({
        id: z.string(),
        rates_per_minute_usd: z.record(z.string(), z.string()),
        minimum_billable_seconds: z.int(),
      }),
    ),
  })
  .meta({ id: 'Pricing' });
