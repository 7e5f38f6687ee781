// Which process takes a job: a free one, or one whose jobs it takes turns with; pure.
import { shortJobMs } from './job-cost.ts';
import type { Priority } from './jobs.ts';

/** So long after the last job of a caller one place is kept from bulk for the next. */
export const callersStayMs = 2_000;
/**
 * So long after it one place is kept from the callers of others: for the next job of the same clip,
 * and the next clip of who sends one after the other. Longer would idle a place for too few clips.
 */
export const strangersStayMs = 1_000;
/**
 * A job of a clip of some seconds; a minute's voice activity is more. It goes to the end of the
 * places, where the process is that the other work of the machine keeps from the cores least.
 */
const quickMs = 80;
/** Jobs that are begun in one process: each holds its samples and what it has made of them. */
const maxOpen = 3;

export interface PlacedJob {
  readonly organizationId: string;
  readonly priority: Priority;
  /** Expected, of one core. */
  readonly cost: number;
}

export interface Place {
  /** Its models are loaded. */
  readonly ready: boolean;
  /** Jobs that take turns in it. */
  readonly open: ReadonlySet<PlacedJob>;
}

export interface Places<P extends Place> {
  callerSeen(organizationId: string, nowMs: number): void;
  /**
   * The place for a job; null when it has to wait.
   * @param nowMs milliseconds of a clock that never goes back
   */
  find(job: PlacedJob, nowMs: number): P | null;
}

/**
 * A free place is taken at once, but one is left to callers while some are about: by bulk to all of
 * them, by an organization's callers to those of others (a pool of one has none to leave). So clip
 * after clip starts at once beside a stranger who would fill every place. With every place taken, a
 * job is let in where it takes turns with the less urgent, or with those of organizations that have
 * more jobs begun than its own has: nobody alone ever shares a place with itself.
 * @param all the last one is the best for what is quick
 */
export function createPlaces<P extends Place>(all: readonly P[]): Places<P> {
  /** When the last job of each was begun. */
  const callers = new Map<string, number>();

  const hasToLeaveOne = (job: PlacedJob, nowMs: number): boolean => {
    for (const [caller, seenMs] of callers) {
      if (nowMs - seenMs > callersStayMs) callers.delete(caller);
    }
    if (isBulk(job)) return callers.size > 0;
    return [...callers].some(
      ([caller, seenMs]) => caller !== job.organizationId && nowMs - seenMs <= strangersStayMs,
    );
  };
  const mayTakeFree = (job: PlacedJob, nowMs: number): boolean => {
    if (all.length === 1 || !hasToLeaveOne(job, nowMs)) return true;
    const isAlike = (other: PlacedJob): boolean =>
      isBulk(job) ? isBulk(other) : other.organizationId === job.organizationId;
    return all.filter(({ open }) => ![...open].some(isAlike)).length > 1;
  };

  return {
    callerSeen: (organizationId, nowMs) => {
      callers.set(organizationId, nowMs);
    },
    find: (job, nowMs) => {
      const inOrder = job.cost <= quickMs ? all.toReversed() : all;
      const places = inOrder.filter(({ ready }) => ready);
      const free = places.find(({ open }) => open.size === 0);
      if (free && mayTakeFree(job, nowMs)) return free;
      const begun = (organizationId: string): number =>
        places
          .flatMap(({ open }) => [...open])
          .filter((other) => other.organizationId === organizationId)
          .filter((other) => other.priority === job.priority).length;
      const own = begun(job.organizationId);
      const shares = places
        .filter(({ open }) => open.size > 0 && hasRoom(open.size, job))
        .filter(({ open }) =>
          [...open].every(
            (other) =>
              other.priority > job.priority ||
              (other.priority === job.priority && begun(other.organizationId) > own),
          ),
        )
        .toSorted((a, b) => leastUrgent(b) - leastUrgent(a) || a.open.size - b.open.size);
      return shares[0] ?? null;
    },
  };
}

function isBulk({ priority }: PlacedJob): boolean {
  return priority !== 1;
}

function hasRoom(open: number, { cost }: PlacedJob): boolean {
  return open < maxOpen - 1 || (open < maxOpen && cost <= shortJobMs);
}

/** Of the most urgent job: where that is bulk, a caller does not take turns with it at all. */
function leastUrgent({ open }: Place): number {
  return Math.min(...[...open].map(({ priority }) => priority));
}
