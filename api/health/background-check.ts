// A check that may take longer than an answer: it runs beside the answers, one run at a time.
import { outcomeOf, type Outcome } from './outcome.ts';

export interface BackgroundCheck {
  /**
   * Begins a run when one is due, and waits for the run in progress, at most `waitMs`.
   * @returns how the last run ended; `timeout` while that is not known, or too long ago
   */
  outcome(waitMs: number): Promise<Outcome>;
  /** Aborts the run in progress, which then says nothing. */
  cancel(): void;
}

export interface BackgroundCheckOptions {
  /** A run that takes longer is aborted, and has failed. */
  readonly limitMs: number;
  /** From the end of a run that succeeded to the next one. */
  readonly restMs: number;
  /** From the end of a run that failed to the next one. */
  readonly retryMs: number;
}

/** Longer than between two questions of a proxy or a kubelet. */
const knownForMs = 30_000;

export function createBackgroundCheck(
  check: (signal: AbortSignal) => Promise<void>,
  { limitMs, restMs, retryMs }: BackgroundCheckOptions,
): BackgroundCheck {
  let known: { readonly at: number; readonly outcome: Outcome } | null = null;
  let run: { readonly abort: () => void; readonly ended: Promise<void> } | null = null;
  let dueAt = 0;
  const begin = (): NonNullable<typeof run> => {
    const stopped = new AbortController();
    const { signal } = stopped;
    const ended = outcomeOf(check(signal), limitMs).then((outcome) => {
      if (signal.aborted) return;
      const at = performance.now();
      const isOk = outcome.state === 'ok';
      if (!isOk) stopped.abort();
      known = { at, outcome };
      dueAt = at + (isOk ? restMs : retryMs);
      run = null;
    });
    return { abort: () => stopped.abort(), ended };
  };
  return {
    async outcome(waitMs) {
      if (run === null && performance.now() >= dueAt) run = begin();
      if (run !== null) await outcomeOf(run.ended, waitMs);
      if (known === null || performance.now() - known.at >= knownForMs) return { state: 'timeout' };
      return known.outcome;
    },
    cancel() {
      run?.abort();
      run = null;
    },
  };
}
