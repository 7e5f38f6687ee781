// What `svc doctor` reports about one part.
import { InvalidSettings } from '../settings/read-config.ts';

export interface Finding {
  readonly part: string;
  readonly healthy: boolean;
  readonly version: string | null;
  /** Time of one request and its answer; null without a request. */
  readonly latencyMs: number | null;
  /** On a connection that is open, where that is measured: how far away the part is. */
  readonly roundTripMs?: number;
  /** Its address, or what is wrong and what to do. */
  readonly detail: string;
}

export type Answer = Pick<Finding, 'version' | 'detail' | 'roundTripMs'>;

const timeoutMs = 5000;

/** Queries a part and times the answer; an error or silence is a finding, never an exception. */
export async function examine(
  part: string,
  check: (signal: AbortSignal) => Promise<Answer>,
): Promise<Finding> {
  const started = performance.now();
  const latencyMs = () => tenths(performance.now() - started);
  const signal = AbortSignal.timeout(timeoutMs);
  const late = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(new Error(`no answer in ${timeoutMs} ms`)));
  });
  // A check may throw before it is waited for.
  late.catch(() => {});
  try {
    const answer = await Promise.race([check(signal), late]);
    return { part, healthy: true, latencyMs: latencyMs(), ...answer };
  } catch (error) {
    return { part, healthy: false, version: null, latencyMs: latencyMs(), detail: reason(error) };
  }
}

export function tenths(ms: number): number {
  return Math.round(ms * 10) / 10;
}

/** Node's network errors often hide the reason in `cause` or in a list of attempts. */
function reason(error: unknown): string {
  if (error instanceof InvalidSettings) return error.problems.join('; ');
  if (error instanceof AggregateError && error.errors.length > 0) return reason(error.errors[0]);
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message}: ${reason(error.cause)}` : error.message;
}
