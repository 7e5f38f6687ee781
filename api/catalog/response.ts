// The catalog as callers read it: models with their limits, and reference rates.
import type { z } from 'zod';
import { assignedRow } from '../../models/bundles/assignments.ts';
import { languagesOf, publicBundle, type BundlesInUse } from '../../models/bundles/catalog.ts';
import { pricingVersion } from '../../models/contract/catalog.ts';
import { models } from '../../models/contract/served-models.ts';
import type { modelListSchema, pricingSchema } from './schemas.ts';

const minimumBillableSeconds = 1;

export interface ServingFacts {
  /** A worker has the models loaded. */
  readonly available: boolean;
  readonly bundles: BundlesInUse;
}

export function toModelList({ available, bundles }: ServingFacts): z.input<typeof modelListSchema> {
  const { assignments, manifests } = bundles;
  const data = models.map((row) => ({
    id: row.id,
    object: 'model' as const,
    lifecycle: row.lifecycle,
    tasks: [...row.tasks],
    languages: [...languagesOf(assignedRow(row.id, assignments), manifests)],
    labels: row.labels && { emotions: [...row.labels.emotions], styles: [...row.labels.styles] },
    limits: {
      min_seconds: row.limits.minSeconds,
      max_seconds: row.limits.maxSeconds,
      max_file_bytes: row.limits.maxFileBytes,
    },
    available,
    bundle: publicBundle(row, bundles),
  }));
  return { object: 'list', data };
}

export function toPricing(): z.input<typeof pricingSchema> {
  const rated = models.map(({ id, ratesPerMinuteUsd }) => ({
    id,
    rates_per_minute_usd: ratesPerMinuteUsd,
    minimum_billable_seconds: minimumBillableSeconds,
  }));
  return { object: 'pricing', pricing_version: pricingVersion, currency: 'USD', models: rated };
}
