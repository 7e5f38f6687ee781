// Options that calls about stored resources have in common.
import type { CallOptions, ServiceRequest } from './transport.ts';

export interface KeyedCall extends CallOptions {
  /** Repeating the call with the same key creates nothing, and returns what the first one did. */
  readonly idempotencyKey?: string;
}

export interface PageOptions extends CallOptions {
  readonly limit?: number;
  /** `last_id` of the page before. */
  readonly after?: string;
}

export function keyedBy({ idempotencyKey, signal }: KeyedCall = {}): Pick<
  ServiceRequest,
  'id' | 'signal'
> {
  const value = idempotencyKey !== undefined && { value: idempotencyKey };
  return { id: { header: 'Idempotency-Key', ...value }, ...(signal && { signal }) };
}

export function inQuery(values: Readonly<Record<string, string | number | undefined>>): string {
  const given = Object.entries(values).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)] as [string, string]],
  );
  return given.length === 0 ? '' : `?${String(new URLSearchParams(given))}`;
}
