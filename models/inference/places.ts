// Which process takes a job: a free one, or one whose jobs it takes turns with; pure.
import type { Priority } from './jobs.ts';

/** So long after the last job of a caller one slot is kept for the next. */
export const callersStayMs = 2_000;
/** Jobs that are begun in one process: each holds its samples and what it has made of them. */
const maxOpen = 3;
/** The last place in a process is for those that soon leave it. */
const maxShortMs = 300;

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
  callerSeen(nowMs: number): void;
  /**
   * The place for a job; null when it has to wait.
   * @param nowMs milliseconds of a clock that never goes back
   */
  find(job: PlacedJob, nowMs: number): P | null;
}

/**
 * A free place is taken at once, but bulk leaves one to callers while some are about (a pool of one
 * has none to leave). With every place taken, a job is let in where it takes turns with the less
 * urgent, or with those of organizations that have more jobs begun than its own has: nobody alone
 * ever shares a place with itself.
 */
export function createPlaces<P extends Place>(all: readonly P[]): Places<P> {
  let lastCallerMs = -Infinity;

  const mayRunBulk = (nowMs: number): boolean => {
    const withoutBulk = all.filter(({ open }) => ![...open].some(isBulk)).length;
    return all.length === 1 || withoutBulk > 1 || nowMs - lastCallerMs > callersStayMs;
  };

  return {
    callerSeen: (nowMs) => {
      lastCallerMs = nowMs;
    },
    find: (job, nowMs) => {
      const places = all.filter(({ ready }) => ready);
      const free = places.find(({ open }) => open.size === 0);
      if (free && (!isBulk(job) || mayRunBulk(nowMs))) return free;
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
  return open < maxOpen - 1 || (open < maxOpen && cost <= maxShortMs);
}

/** Of the most urgent job: where that is bulk, a caller does not take turns with it at all. */
function leastUrgent({ open }: Place): number {
  return Math.min(...[...open].map(({ priority }) => priority));
}
