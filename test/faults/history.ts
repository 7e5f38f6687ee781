// What the clients of a fault did and received: one entry per call, and what is wrong with it.

export interface Operation {
  /** Request id. */
  readonly id: string;
  /** Of the audio, hex. */
  readonly sha256: string;
  /** Milliseconds since the history began. */
  readonly t0: number;
  readonly t1: number;
  /** `unknown`: the service may or may not have done it. */
  readonly outcome: 'ok' | 'fail' | 'unknown';
  /** Status and code; `cut off` when no complete answer arrived. */
  readonly answer: string;
  /** A hash of the result without the values that are new in every run; null without a result. */
  readonly result: string | null;
  /** What the answer lacks: envelope, request id, Retry-After; null when it is complete. */
  readonly flaw: string | null;
}

/** Median of the calls with a result on two idle cores, in milliseconds. */
const usualMs = 500;

export interface History {
  /** Milliseconds since the start of the history. */
  readonly now: () => number;
  /** A call begins. @returns its `t0`, for `add` */
  readonly begin: () => number;
  readonly add: (operation: Operation) => void;
  /** When the oldest call began that has no entry yet; null when there is none. */
  readonly oldestOpen: () => number | null;
  readonly operations: readonly Operation[];
  /** From here on something is disturbed; earlier answers show how fast the machine is. */
  readonly endBaseline: () => void;
  /**
   * How many times slower than an idle machine this one is without any fault, at least 1: time
   * limits are multiplied by it, so that a busy machine violates no invariant.
   */
  readonly slowness: () => number;
}

export function createHistory(): History {
  const startedAt = performance.now();
  const operations: Operation[] = [];
  const open: number[] = [];
  let slowness = 1;
  const now = (): number => performance.now() - startedAt;
  return {
    now,
    begin: () => {
      const t0 = now();
      open.push(t0);
      return t0;
    },
    add: (operation) => {
      operations.push(operation);
      const at = open.indexOf(operation.t0);
      if (at >= 0) open.splice(at, 1);
    },
    oldestOpen: () => open[0] ?? null,
    operations,
    endBaseline: () => void (slowness = slownessOf(operations)),
    slowness: () => slowness,
  };
}

export function slownessOf(operations: readonly Operation[]): number {
  const times = operations.filter(({ outcome }) => outcome === 'ok').map(({ t0, t1 }) => t1 - t0);
  const median = times.toSorted((a, b) => a - b)[times.length >> 1] ?? 0;
  return Math.max(1, median / usualMs);
}

/** How often each answer arrived, the most frequent first: `200 x 41, 503 not_ready x 7`. */
export function countAnswers(operations: readonly Operation[]): string {
  const counts = new Map<string, number>();
  for (const { answer } of operations) counts.set(answer, (counts.get(answer) ?? 0) + 1);
  return [...counts]
    .toSorted(([, a], [, b]) => b - a)
    .map(([answer, count]) => `${answer} x ${count}`)
    .join(', ');
}

/** The calls of one id, in a line each, for the report of a failure. */
export function linesOf(operations: readonly Operation[], id: string): readonly string[] {
  return operations
    .filter((each) => each.id === id)
    .map(
      ({ t0, t1, outcome, answer, flaw }) =>
        `${seconds(t0)} to ${seconds(t1)} s ${outcome}: ${answer}${flaw ? ` (${flaw})` : ''}`,
    );
}

function seconds(ms: number): string {
  return (ms / 1_000).toFixed(2);
}
