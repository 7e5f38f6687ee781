// Jobs that take turns on one core: the urgent first, who is new before who has had more, what is
// short at one stretch, and nobody else for longer than a turn while another waits. Cooperative: a
// job asks between its steps.

export interface JobClaim {
  readonly organizationId: string;
  /** Lower goes first, always. */
  readonly priority: number;
  /** What the whole job is expected to take. */
  readonly costMs: number;
}

export interface CoreScheduler {
  /**
   * A job that will take turns from now on.
   * @param onResume told each time that the job goes on after another
   */
  open(claim: JobClaim, onResume?: () => void): ScheduledJob;
}

export interface ScheduledJob {
  /** Asked before each step; resolves when it is this job's turn, at once if nobody goes before. */
  yieldCore(): Promise<void>;
  /** Time of its own, without that of others. */
  usedMs(): number;
  /** The longest that another has waited while this job had its turn; 0 when nobody did. */
  longestBlockingMs(): number;
  end(): void;
}

export interface SchedulerOptions {
  /** A turn ends with the step in which it gets this long. */
  readonly sliceMs: number;
  /** So long is the turn of a job that is expected to take no longer: mostly its only one. */
  readonly shortJobMs: number;
  /** A clock that never goes back, in milliseconds. */
  readonly now: () => number;
}

interface Contender extends JobClaim {
  readonly onResume: (() => void) | undefined;
  /** What its organization has had while others were about; a newcomer starts where they are. */
  servedMs: number;
  usedMs: number;
  longestBlockingMs: number;
  /** It has had a turn. */
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
  /** Since when somebody waits for the holder; null when nobody does. */
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

/** Absence earns nothing: who comes starts where the others are. */
function initialServedMs(open: ReadonlySet<Contender>, servedMs: number): number {
  const least = Math.min(...[...open].map((other) => other.servedMs));
  return open.size > 0 ? Math.max(servedMs, least) : servedMs;
}

function waitForCore(contender: Contender): Promise<void> {
  return new Promise((resolve) => {
    contender.resume = resolve;
  });
}

/** @param sliceOver the holder has had a whole turn */
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
  // What is new and short is done in one turn: nobody has to wait for its sake for longer.
  const isNewcomer = !best.started && best.servedMs <= running.servedMs;
  return sliceOver || isNewcomer ? best : running;
}
