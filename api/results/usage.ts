// The `usage` member: measured seconds, billable seconds and reference rates as exact decimals.
import { amountOf } from '../../db/ledger.ts';
import { pricingVersion, type ModelId } from '../../models/contract/catalog.ts';
import { ratePerMinute } from '../../models/contract/charge-rate.ts';
import type { RecordingTask } from '../../models/contract/tasks.ts';
import type { Usage } from './schemas.ts';

export interface UsageInput {
  readonly model: ModelId;
  readonly task: RecordingTask;
  readonly audioSeconds: number;
  readonly billableSeconds: number;
}

export function toUsage({ model, task, audioSeconds, billableSeconds }: UsageInput): Usage {
  const rate = ratePerMinute({ model, task });
  return {
    audio_seconds: audioSeconds,
    billable_seconds: billableSeconds,
    rate_per_minute_usd: rateText(rate),
    estimated_cost_usd: costText(rate, billableSeconds),
    pricing_version: pricingVersion,
    billing_unit: 'audio_second',
    rate_per_request_usd: null,
  };
}

/** The ledger's amount in USD with six decimals. @param rate micro-dollars per minute */
export function costText(rate: number, billableSeconds: number): string {
  return decimals(amountOf(rate, billableSeconds).microUsd);
}

/** USD with four decimals, or more when four are not exact. */
export function rateText(rate: number): string {
  return decimals(rate).replace(/0{1,2}$/, '');
}

function decimals(microUsd: number): string {
  const digits = String(microUsd).padStart(7, '0');
  return `${digits.slice(0, -6)}.${digits.slice(-6)}`;
}
