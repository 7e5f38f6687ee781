// Cleanup at the end of a test or a benchmark, in reverse order.

/** The part of ava's `t` that set-up functions need. */
export interface Cleanup {
  teardown(step: () => unknown): void;
}

/** For programs that are not tests: runs `finish` on every exit. */
export function collectCleanup(): Cleanup & { finish(): Promise<void> } {
  const steps: (() => unknown)[] = [];
  return {
    teardown: (step) => void steps.unshift(step),
    finish: async () => {
      for (const step of steps.splice(0)) await step();
    },
  };
}
