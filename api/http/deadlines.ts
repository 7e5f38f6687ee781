// How slow an upload may be.
import { ServiceError } from '../../models/contract/errors.ts';

export interface UploadDeadlines {
  /** Without a byte for so long, the upload is given up. */
  readonly idleMs: number;
  /** The whole body. */
  readonly totalMs: number;
  /** After `graceMs`, the average rate must have reached this. */
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
  /** The service itself takes no more for now: that time is not the caller's. @returns goes on */
  pause(): () => void;
  stop(): void;
}

/** Watches an upload; calls `onSlow` once with 408 upload_timeout when it is too slow. */
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
      const message = `The upload is too slow: ${bytes} bytes came in ${seconds} s.`;
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
