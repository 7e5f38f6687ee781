// When a request is sent again: interface.md's guidance, but that Retry-After is waited for; pure.

const retried: ReadonlySet<number> = new Set([0, 429, 500, 502, 503, 504]);
/** Of failures; capacity (429) is waited for as long as it takes. */
const maxFailures = 4;
const maxWaits = 200;
const baseDelayMs = 500;
const maxDelayMs = 15_000;

/**
 * Milliseconds to wait before the request is sent again with the same id; null: give up.
 * @param attempt repetitions so far
 * @param random 0 to 1, for the jitter
 */
export function retryDelayMs(
  {
    status,
    code,
    retryAfterSeconds,
  }: {
    readonly status: number;
    readonly code: string;
    readonly retryAfterSeconds: number | null;
  },
  attempt: number,
  random: number = Math.random(),
): number | null {
  // After a failure of ours or a lost answer the first attempt may still be running.
  const waits = status === 429 || code === 'request_in_progress';
  if (!waits && !retried.has(status)) return null;
  if (attempt >= (waits ? maxWaits : maxFailures)) return null;
  const backoff = Math.min(maxDelayMs, baseDelayMs * 2 ** Math.min(attempt, 10));
  const least = 1_000 * (retryAfterSeconds ?? 0);
  return least + backoff * (0.5 + 0.5 * random);
}
