// When a request is repeated: interface.md's guidance, but Retry-After is always honoured; pure.

const retried: ReadonlySet<number> = new Set([0, 429, 500, 502, 503, 504]);
/** Limit for failures; capacity errors (429) are retried far longer. */
const maxFailures = 4;
const maxWaits = 200;
const baseDelayMs = 500;
const maxDelayMs = 15_000;

/**
 * Milliseconds until the request is repeated with the same id; null when it is abandoned.
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
  // After a server error or a lost answer the first attempt may still be running.
  const waits = status === 429 || code === 'request_in_progress';
  if (!waits && !retried.has(status)) return null;
  if (attempt >= (waits ? maxWaits : maxFailures)) return null;
  const backoff = Math.min(maxDelayMs, baseDelayMs * 2 ** Math.min(attempt, 10));
  const least = 1_000 * (retryAfterSeconds ?? 0);
  return least + backoff * (0.5 + 0.5 * random);
}
