// Deadlines of uploads.
import { ServiceError } from '../../models/contract/errors.ts';

export interface UploadDeadlines {
  /** An upload without a byte for this long is aborted. */
  readonly idleMs: number;
  /** Time limit of the whole body. */
  readonly totalMs: number;
  /** After `graceMs` the average rate must have reached this value. */
  readonly minBytesPerSecond: number;
  readonly graceMs: number;
}

export const defaultUploadDeadlines: UploadDeadlines = {
  idleMs: 20_000,
  totalMs: 600_000,
  minBytesPerSecond: 512,
  graceMs: 20_000,
};

export interface UploadClock {
  received(bytes: number): void;
  /** Pauses the deadlines while the service itself cannot take more. @returns resumes them */
  pause(): () => void;
  stop(): void;
}

/** Watches an upload and calls `onSlow` once with 408 upload_timeout when it is too slow. */
export function watchUpload(
  deadlines: UploadDeadlines,
  onSlow: (error: ServiceError) => void,
): UploadClock {
  let startedAt = performance.now();
  let lastAt = startedAt;
  let bytes = 0;
  let pauses = 0;
  const slow = (now: number): boolean => {
    if (pauses > 0) return false;
    const elapsedMs = now - startedAt;
    const tooFew = bytes < (elapsedMs / 1_000) * deadlines.minBytesPerSecond;
    return (
      now - lastAt > deadlines.idleMs ||
      elapsedMs > deadlines.totalMs ||
      (elapsedMs > deadlines.graceMs && tooFew)
    );
  };
  const timer = setInterval(
    () => {
      if (!slow(performance.now())) return;
      clearInterval(timer);
      const seconds = Math.round((performance.now() - startedAt) / 1_000);
      const message = `The upload is too slow: ${bytes} bytes were received in ${seconds} s.`;
      onSlow(new ServiceError('upload_timeout', message));
    },
    Math.min(1_000, deadlines.idleMs / 4),
  );
  return {
    received: (count) => {
      bytes += count;
      lastAt = performance.now();
    },
    pause: () => {
      const pausedAt = performance.now();
      pauses += 1;
      return () => {
        pauses -= 1;
        startedAt += performance.now() - pausedAt;
        lastAt = performance.now();
      };
    },
    stop: () => clearInterval(timer),
  };
}
