// When a request is repeated; pure. Lost answers and failures are repeated a few times, a service
// without capacity as often as the caller is willing to wait.

const retried: ReadonlySet<number> = new Set([0, 429, 500, 502, 503, 504]);
const baseDelayMs = 500;
const maxDelayMs = 15_000;

export interface RetryLimits {
  /** Repetitions after a lost answer, 500, 502, 503 or 504. */
  readonly maxFailures: number;
  /** Repetitions after 429, and while an earlier attempt is still in progress. */
  readonly maxWaits: number;
}

export const defaultRetryLimits: RetryLimits = { maxFailures: 2, maxWaits: 10 };

export interface FailedAttempt {
  /** 0 when there was no answer. */
  readonly status: number;
  readonly code: string;
  readonly retryAfterSeconds: number | null;
}

/** Counted apart: a service that let the caller wait has not failed. */
export type Repetition = 'failures' | 'waits';

export interface RetryOptions {
  /** So far. */
  readonly repetitions: Readonly<Record<Repetition, number>>;
  readonly limits: RetryLimits;
  /** 0 to 1, for the jitter. */
  readonly random?: number;
}

export function repetitionAfter({
  status,
  code,
}: Pick<FailedAttempt, 'status' | 'code'>): Repetition {
  // After a server error or a lost answer the first attempt may still be running.
  return status === 429 || code === 'request_in_progress' ? 'waits' : 'failures';
}

/** Milliseconds until the request is repeated with the same id; null when it is abandoned. */
export function retryDelayMs(
  failed: FailedAttempt,
  { repetitions, limits, random = Math.random() }: RetryOptions,
): number | null {
  const kind = repetitionAfter(failed);
  if (kind === 'failures' && !retried.has(failed.status)) return null;
  const before = repetitions[kind];
  if (before >= (kind === 'waits' ? limits.maxWaits : limits.maxFailures)) return null;
  const backoff = Math.min(maxDelayMs, baseDelayMs * 2 ** Math.min(before, 10));
  const least = 1_000 * (failed.retryAfterSeconds ?? 0);
  return least + backoff * (0.5 + 0.5 * random);
}
