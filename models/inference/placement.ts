// Which process takes a job: a free one, or one whose jobs it takes turns with; pure.
import { shortJobMs } from './job-cost.ts';
import type { Priority } from './jobs.ts';

/** So long after the last job of a caller one place is kept from bulk for the next. */
export const interactiveReserveMs = 2_000;
/**
 * So long after it one place is kept from the callers of others: for the next job of the same clip,
 * and the next clip of who sends one after the other. Longer would idle a place for too few clips.
 */
export const tenantReserveMs = 1_000;
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

export interface ProcessSlot {
  /** Its models are loaded. */
  readonly ready: boolean;
  /** Jobs that take turns in it. */
  readonly open: ReadonlySet<PlacedJob>;
}

export interface Placement<P extends ProcessSlot> {
  interactiveSeen(organizationId: string, nowMs: number): void;
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
export function createPlacement<P extends ProcessSlot>(all: readonly P[]): Placement<P> {
  /** When the last job of each was begun. */
  const interactiveSeenMs = new Map<string, number>();

  const mustReserveSlot = (job: PlacedJob, nowMs: number): boolean => {
    for (const [seenOrganizationId, seenMs] of interactiveSeenMs) {
      if (nowMs - seenMs > interactiveReserveMs) interactiveSeenMs.delete(seenOrganizationId);
    }
    if (isBulk(job)) return interactiveSeenMs.size > 0;
    return [...interactiveSeenMs].some(
      ([seenOrganizationId, seenMs]) =>
        seenOrganizationId !== job.organizationId && nowMs - seenMs <= tenantReserveMs,
    );
  };
  const mayUseFree = (job: PlacedJob, nowMs: number): boolean => {
    if (all.length === 1 || !mustReserveSlot(job, nowMs)) return true;
    const isSameClass = (other: PlacedJob): boolean =>
      isBulk(job) ? isBulk(other) : other.organizationId === job.organizationId;
    return all.filter(({ open }) => ![...open].some(isSameClass)).length > 1;
  };

  return {
    interactiveSeen: (organizationId, nowMs) => {
      interactiveSeenMs.set(organizationId, nowMs);
    },
    find: (job, nowMs) => {
      const inOrder = job.cost <= quickMs ? all.toReversed() : all;
      const readySlots = inOrder.filter(({ ready }) => ready);
      const free = readySlots.find(({ open }) => open.size === 0);
      if (free && mayUseFree(job, nowMs)) return free;
      const runningJobs = (organizationId: string): number =>
        readySlots
          .flatMap(({ open }) => [...open])
          .filter((other) => other.organizationId === organizationId)
          .filter((other) => other.priority === job.priority).length;
      const own = runningJobs(job.organizationId);
      const shareable = readySlots
        .filter(({ open }) => open.size > 0 && hasCapacity(open.size, job))
        .filter(({ open }) =>
          [...open].every(
            (other) =>
              other.priority > job.priority ||
              (other.priority === job.priority && runningJobs(other.organizationId) > own),
          ),
        )
        .toSorted((a, b) => mostUrgent(b) - mostUrgent(a) || a.open.size - b.open.size);
      return shareable[0] ?? null;
    },
  };
}

function isBulk({ priority }: PlacedJob): boolean {
  return priority !== 1;
}

function hasCapacity(open: number, { cost }: PlacedJob): boolean {
  return open < maxOpen - 1 || (open < maxOpen && cost <= shortJobMs);
}

/** Of the most urgent job: where that is bulk, a caller does not take turns with it at all. */
function mostUrgent({ open }: ProcessSlot): number {
  return Math.min(...[...open].map(({ priority }) => priority));
}
