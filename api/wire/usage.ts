// The `usage` member: measured seconds, billable seconds and reference rates; exact decimals.
import { catalog, pricingVersion } from '../../models/catalog.ts';
import type { FileModel, Task } from '../../workflows/types.ts';
import type { Usage } from './schemas.ts';

export interface UsageInput {
  readonly model: FileModel;
  readonly task: Task;
  readonly audioSeconds: number;
  readonly billableSeconds: number;
}

export function toUsage({ model, task, audioSeconds, billableSeconds }: UsageInput): Usage {
  const rate = catalog.find(({ id }) => id === model)!.ratesPerMinuteUsd[task];
  return {
    audio_seconds: audioSeconds,
    billable_seconds: billableSeconds,
    rate_per_minute_usd: rate,
    estimated_cost_usd: estimatedCost(rate, billableSeconds),
    pricing_version: pricingVersion,
    billing_unit: 'audio_second',
    rate_per_request_usd: null,
  };
}

/**
 * Rate times minutes in USD with six decimals, rounded half up; integers only, so that no binary
 * fraction shows. @param rate decimal string with four decimals
 */
export function estimatedCost(rate: string, billableSeconds: number): string {
  const tenThousandths = BigInt(rate.replace('.', ''));
  const microDollars = (tenThousandths * 100n * BigInt(billableSeconds) * 2n + 60n) / 120n;
  const digits = microDollars.toString().padStart(7, '0');
  return `${digits.slice(0, -6)}.${digits.slice(-6)}`;
}
