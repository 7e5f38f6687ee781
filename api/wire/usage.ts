// The `usage` member: measured seconds, billable seconds and reference rates; exact decimals.
import { catalog, pricingVersion, type Rates } from '../../models/catalog.ts';
import type { FileModel, Task } from '../../workflows/types.ts';
import type { Usage } from './schemas.ts';

export interface UsageInput {
  readonly model: FileModel;
  readonly task: Task;
  readonly audioSeconds: number;
  readonly billableSeconds: number;
}

export function toUsage({ model, task, audioSeconds, billableSeconds }: UsageInput): Usage {
  const rates: Rates = catalog.find(({ id }) => id === model)!.ratesPerMinuteUsd;
  const rate = rates[task]!;
  return {
    audio_seconds: audioSeconds,
    billable_seconds: billableSeconds,
    rate_per_minute_usd: rate,
    estimated_cost_usd: exactCost(rate, billableSeconds),
    pricing_version: pricingVersion,
    billing_unit: 'audio_second',
    rate_per_request_usd: null,
  };
}

/** Decimals in which rates are added and multiplied: USD per minute in hundred-thousandths. */
const rateDecimals = 5;

/**
 * Rate times minutes in USD with six decimals, rounded half up; integers only, so that no binary
 * fraction shows. @param rate decimal string with four or five decimals
 */
export function exactCost(rate: string, billableSeconds: number): string {
  const microDollars = (toUnits(rate) * 10n * BigInt(billableSeconds) * 2n + 60n) / 120n;
  return toDecimal(microDollars, 6);
}

/** Sum of rates, with four decimals where four are enough. */
export function addRates(rates: readonly string[]): string {
  const sum = toDecimal(
    rates.reduce((total, rate) => total + toUnits(rate), 0n),
    rateDecimals,
  );
  return sum.endsWith('0') ? sum.slice(0, -1) : sum;
}

function toUnits(rate: string): bigint {
  const [whole = '0', fraction = ''] = rate.split('.');
  return BigInt(whole + fraction.padEnd(rateDecimals, '0'));
}

function toDecimal(units: bigint, decimals: number): string {
  const digits = units.toString().padStart(decimals + 1, '0');
  return `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}
