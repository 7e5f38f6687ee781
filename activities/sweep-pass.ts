// One pass of the sweeper: what fails is logged, holds up nothing else, and is thrown at its end.
import { log } from '@temporalio/activity';

export interface SweepPass {
  /** Aborted when another pass has started. */
  readonly signal: AbortSignal;
  /**
   * Does what may fail alone.
   * @param what for the log
   * @returns whether it succeeded
   * @throws when the pass is aborted
   */
  attempt(what: string, work: () => Promise<unknown>): Promise<boolean>;
  hasFailed(): boolean;
}

/** @throws what a part threw, or an AggregateError of several */
export async function runSweepPass(
  signal: AbortSignal,
  body: (pass: SweepPass) => Promise<void>,
): Promise<void> {
  const errors: unknown[] = [];
  await body({
    signal,
    hasFailed: () => errors.length > 0,
    async attempt(what, work) {
      signal.throwIfAborted();
      try {
        await work();
        return true;
      } catch (error) {
        if (signal.aborted) throw error;
        log.error('a part of the sweep failed', { what, error });
        errors.push(error);
        return false;
      }
    },
  });
  if (errors.length === 1) throw errors[0];
  if (errors.length > 1) throw new AggregateError(errors, `${errors.length} parts failed`);
}
