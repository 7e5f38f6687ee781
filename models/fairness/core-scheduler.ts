// A cooperative scheduler for jobs that share one core. A lower priority number always wins; among
// equals the organization that has been served least goes first. A short new job runs in one slice,
// and no other job keeps the core for longer than a slice while another waits. A job yields
// between its steps.

export interface JobClaim {
  readonly organizationId: string;
  /** A lower number always goes first. */
  readonly priority: number;
  /** Expected duration of the whole job. */
  readonly costMs: number;
}

export interface CoreScheduler {
  /**
   * Adds a job.
   * @param onResume called each time the job gets the core after another job had it
   */
  open(claim: JobClaim, onResume?: () => void): ScheduledJob;
}

export interface ScheduledJob {
  /**
   * Called before each step: resolves when the job may go on, at once unless another goes first.
   */
  yieldCore(): Promise<void>;
  /** Time in which the job had the core. */
  usedMs(): number;
  /** The longest time that another job waited while this one had the core; 0 when none did. */
  longestBlockingMs(): number;
  end(): void;
}

export interface SchedulerOptions {
  /** A slice ends with the step in which it reaches this length. */
  readonly sliceMs: number;
  /** A job that is expected to take no longer gets a slice of this length, usually its only one. */
  readonly shortJobMs: number;
  /** A monotonic clock in milliseconds. */
  readonly now: () => number;
}

interface Contender extends JobClaim {
  readonly onResume: (() => void) | undefined;
  /** What its organization was served while others competed; a newcomer starts level with them. */
  servedMs: number;
  usedMs: number;
  longestBlockingMs: number;
  /** It has had the core at least once. */
  started: boolean;
  /** Ends its wait. */
  resume: (() => void) | null;
}

const unstarted = { usedMs: 0, longestBlockingMs: 0, started: false, resume: null } as const;

export function createCoreScheduler({ sliceMs, shortJobMs, now }: SchedulerOptions): CoreScheduler {
  const open = new Set<Contender>();
  const servedMsBy = new Map<string, number>();
  let running: Contender | null = null;
  let grantedAt = 0;
  let countedAt = 0;
  /** Since when another job waits for the core; null while none does. */
  let contendedAt: number | null = null;

  const waiting = (): readonly Contender[] => [...open].filter(({ resume }) => resume !== null);

  const count = (): void => {
    const at = now();
    if (running) {
      charge(running, at - countedAt, contendedAt === null ? 0 : at - contendedAt);
      servedMsBy.set(running.organizationId, running.servedMs);
    }
    countedAt = at;
  };

  const grant = (next: Contender | null): void => {
    running = next;
    if (!next) return;
    const { resume } = next;
    next.resume = null;
    next.started = true;
    grantedAt = now();
    countedAt = grantedAt;
    contendedAt = waiting().length > 0 ? grantedAt : null;
    next.onResume?.();
    resume?.();
  };

  const isSliceOver = ({ costMs }: Contender): boolean =>
    now() - grantedAt >= (costMs <= shortJobMs ? shortJobMs : sliceMs);

  const yieldCore = async (contender: Contender): Promise<void> => {
    count();
    if (running === contender) {
      const next = chooseNext(contender, waiting(), isSliceOver(contender));
      if (next === contender) return;
      const resumed = waitForCore(contender);
      grant(next);
      return resumed;
    }
    const resumed = waitForCore(contender);
    if (running === null) grant(contender);
    else contendedAt ??= now();
    return resumed;
  };

  const end = (contender: Contender): void => {
    count();
    open.delete(contender);
    if (open.size === 0) servedMsBy.clear();
    if (running === contender) grant(chooseNext(null, waiting(), true));
  };

  return {
    open: (claim, onResume) => {
      count();
      const servedMs = initialServedMs(open, servedMsBy.get(claim.organizationId) ?? 0);
      const contender: Contender = { ...claim, ...unstarted, onResume, servedMs };
      open.add(contender);
      return {
        yieldCore: () => yieldCore(contender),
        usedMs: () => {
          count();
          return contender.usedMs;
        },
        longestBlockingMs: () => contender.longestBlockingMs,
        end: () => end(contender),
      };
    },
  };
}

function charge(running: Contender, ms: number, blockingMs: number): void {
  running.usedMs += ms;
  running.servedMs += ms;
  running.longestBlockingMs = Math.max(running.longestBlockingMs, blockingMs);
}

/** Idle time earns no credit: a newcomer starts level with the least served job. */
function initialServedMs(open: ReadonlySet<Contender>, servedMs: number): number {
  const lowest = Math.min(...[...open].map((other) => other.servedMs));
  return open.size > 0 ? Math.max(servedMs, lowest) : servedMs;
}

function waitForCore(contender: Contender): Promise<void> {
  return new Promise((resolve) => {
    contender.resume = resolve;
  });
}

/** @param sliceOver the running job has used up its slice */
function chooseNext<H extends Contender | null>(
  running: H,
  waiting: readonly Contender[],
  sliceOver: boolean,
): Contender | H {
  const urgent = Math.min(...waiting.map(({ priority }) => priority));
  const [best] = waiting
    .filter(({ priority }) => priority === urgent)
    .toSorted((a, b) => a.servedMs - b.servedMs || Number(a.started) - Number(b.started));
  if (!best) return running;
  if (!running || best.priority < running.priority) return best;
  if (best.priority > running.priority) return running;
  // A new and short job ends within one slice, so other jobs hardly wait for it.
  const isNewcomer = !best.started && best.servedMs <= running.servedMs;
  return sliceOver || isNewcomer ? best : running;
}
