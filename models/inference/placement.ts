// Which process runs a job: a free one, or one that shares its core with other jobs; pure.
import type { IdleCores } from '../fairness/idle-cores.ts';
import { createPresence } from '../fairness/presence.ts';
import { shortJobMs } from './job-cost.ts';
import type { Priority } from './jobs.ts';

/** After an interactive job one slot stays reserved from bulk for this long, for the next one. */
export const interactiveReserveMs = 2_000;
/**
 * After an interactive job one slot stays reserved from other organizations for this long: for the
 * next job of the same clip, and for the next clip of a sequential client. A longer reserve would
 * idle a slot for too few clips.
 */
export const tenantReserveMs = 1_000;
/**
 * A job of a clip of a few seconds; a minute's voice activity costs more. Such jobs are placed from
 * the end of the slots, where the process runs at the highest priority of the operating system.
 */
const quickMs = 80;
/** Concurrent jobs of one process: each holds its samples and its intermediate results. */
const maxOpen = 3;

export interface PlacedJob {
  readonly organizationId: string;
  readonly priority: Priority;
  /** Expected cost on one core. */
  readonly cost: number;
}

export interface ProcessSlot {
  /** Its models are loaded. */
  readonly ready: boolean;
  /** The jobs that share its core. */
  readonly open: ReadonlySet<PlacedJob>;
}

export interface Placement<P extends ProcessSlot> {
  /** @param cost of a job that starts; absent when one has ended */
  interactiveSeen(organizationId: string, nowMs: number, cost?: number): void;
  /**
   * The slot for a job; null when the job has to wait.
   * @param nowMs milliseconds of a monotonic clock
   */
  find(job: PlacedJob, nowMs: number): P | null;
}

/**
 * A free slot is used at once, but under interactive load one slot stays reserved: bulk leaves it
 * to every interactive request, and an organization's interactive requests leave it to those of
 * other organizations (a pool of one has none to reserve). So a sequence of clips starts at once
 * beside an organization that would fill every slot. When every slot is in use, a job joins a
 * process that runs only jobs of lower priority, or of organizations that run more jobs than its
 * own. An organization that is alone never shares a slot with itself. One that has recently used
 * much more than each of the others leaves them the slot for short jobs, and so does bulk under
 * interactive load.
 * @param all the last slot suits short jobs best
 */
export function createPlacement<P extends ProcessSlot>(all: readonly P[]): Placement<P> {
  /** Organizations that have started or ended an interactive job. */
  const interactive = createPresence(interactiveReserveMs);
  const usage = createUsage();

  const mustReserveSlot = (job: PlacedJob, nowMs: number): boolean =>
    isBulk(job)
      ? interactive.isAnyPresent(nowMs)
      : interactive.othersThan(job.organizationId, nowMs, tenantReserveMs);
  const mayUseFree = (job: PlacedJob, nowMs: number): boolean => {
    if (all.length === 1 || !mustReserveSlot(job, nowMs)) return true;
    const isSameClass = (other: PlacedJob): boolean =>
      isBulk(job) ? isBulk(other) : other.organizationId === job.organizationId;
    return all.filter(({ open }) => ![...open].some(isSameClass)).length > 1;
  };

  return {
    interactiveSeen: (organizationId, nowMs, cost = 0) => {
      interactive.seen(organizationId, nowMs);
      usage.add(organizationId, nowMs, cost);
    },
    find: (job, nowMs) => {
      const yields = isBulk(job)
        ? interactive.isAnyPresent(nowMs)
        : usage.isMost(job.organizationId, nowMs);
      const inOrder = job.cost <= quickMs && !yields ? all.toReversed() : all;
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

/** Time constant with which an organization's recent usage decays. */
const usageDecayMs = 2_000;
/** Ratio that counts as much more; two sequential clients differ by less. */
const muchMore = 1.5;
/** With less recent usage an organization counts as absent. */
const minUsedMs = 1;

interface Usage {
  add(organizationId: string, nowMs: number, cost: number): void;
  /** It has used much more than each of the others; false without others. */
  isMost(organizationId: string, nowMs: number): boolean;
}

function createUsage(): Usage {
  const used = new Map<string, { readonly ms: number; readonly atMs: number }>();
  const usedBy = (organizationId: string, nowMs: number): number => {
    const { ms, atMs } = used.get(organizationId) ?? { ms: 0, atMs: nowMs };
    return ms * Math.exp((atMs - nowMs) / usageDecayMs);
  };
  return {
    add: (organizationId, nowMs, cost) => {
      used.set(organizationId, { ms: usedBy(organizationId, nowMs) + cost, atMs: nowMs });
      for (const [id, { atMs }] of used) if (nowMs - atMs > 4 * usageDecayMs) used.delete(id);
    },
    isMost: (organizationId, nowMs) => {
      const others = [...used.keys()].filter((id) => id !== organizationId);
      const highest = Math.max(0, ...others.map((id) => usedBy(id, nowMs)));
      return highest >= minUsedMs && usedBy(organizationId, nowMs) > muchMore * highest;
    },
  };
}

function isBulk({ priority }: PlacedJob): boolean {
  return priority !== 1;
}

/** Of all cores; a lone caller of clips in turn leaves two fifths of two. */
const minIdleShare = 0.25;

/**
 * True if a job may use a second core (docs/adr/0077): a caller waits for it, it is short, no other
 * job runs, and cores were idle: where decoders or other programs use them, two threads would wait
 * for each other. A job that starts after it shares the core for as long as the first takes.
 */
export function hasSpareCore(
  job: PlacedJob,
  all: readonly ProcessSlot[],
  idleCores: IdleCores,
): boolean {
  if (isBulk(job) || job.cost > shortJobMs || all.length === 1) return false;
  return all.every(({ open }) => open.size === 0) && idleCores.share() >= minIdleShare;
}

function hasCapacity(open: number, { cost }: PlacedJob): boolean {
  return open < maxOpen - 1 || (open < maxOpen && cost <= shortJobMs);
}

/**
 * The priority of the most urgent job in the slot: an interactive job does not wait behind bulk.
 */
function mostUrgent({ open }: ProcessSlot): number {
  return Math.min(...[...open].map(({ priority }) => priority));
}
