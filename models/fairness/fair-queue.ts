// Waiting jobs of many organizations: the urgent first, and among equals the organization that has
// had least; pure. Start-time fair queueing (Goyal, Vin and Cheng 1996), a flow per organization.

export interface WaitingJob {
  readonly organizationId: string;
  /** Lower goes first, always. */
  readonly priority: number;
  /** What the job is expected to take of a place, above 0, in any one unit. */
  readonly cost: number;
}

export interface FairQueue<T extends WaitingJob> {
  /** Number of waiting jobs. */
  readonly size: number;
  /** Behind every job of the same organization and priority. @throws RangeError without a cost */
  add(job: T): void;
  /** Takes a job out that its sender gave up. */
  remove(job: T): void;
  /**
   * The next job; null when none waits, or none that is accepted.
   * @param accepts asked of the first job of each organization, the most deserving one first
   */
  take(accepts?: (job: T) => boolean): T | null;
  /** How many wait behind a taken job: of the same organization and priority. */
  behind(job: T): number;
  /** The first of those, where it is accepted. */
  takeBehind(job: T, accepts: (next: T) => boolean): T | null;
  /** A taken job has cost this much more than it was expected to: its organization owes it. */
  charge(job: T, extraCost: number): void;
  /** Empties the queue. */
  drain(): readonly T[];
}

interface Flow<T> {
  readonly waiting: T[];
  /** Virtual time at which its next job may start: what it has had, in the unit of the costs. */
  start: number;
}

/**
 * An organization's next job starts, in virtual time, where its last one ended; one that was away
 * starts where the others are now, so that absence earns nothing and waits for at most one job of
 * each other organization. Debts are forgotten as soon as nobody waits.
 */
export function createFairQueue<T extends WaitingJob>(): FairQueue<T> {
  const lanes = new Map<number, Lane<T>>();
  const laneOf = (priority: number): Lane<T> => {
    const lane = lanes.get(priority) ?? createLane<T>();
    lanes.set(priority, lane);
    return lane;
  };
  const urgentFirst = (): readonly Lane<T>[] =>
    [...lanes].sort(([a], [b]) => a - b).map(([, lane]) => lane);
  return {
    get size() {
      return urgentFirst().reduce((sum, lane) => sum + lane.size(), 0);
    },
    add: (job) => {
      if (!(job.cost > 0)) throw new RangeError(`a job costs more than 0, got ${job.cost}`);
      laneOf(job.priority).add(job);
    },
    remove: (job) => laneOf(job.priority).remove(job),
    take: (accepts = () => true) => {
      for (const lane of urgentFirst()) {
        const job = lane.take(accepts);
        if (job !== null) return job;
      }
      return null;
    },
    behind: (job) => laneOf(job.priority).behind(job),
    takeBehind: (job, accepts) => laneOf(job.priority).takeBehind(job, accepts),
    charge: (job, extraCost) => laneOf(job.priority).charge(job, extraCost),
    drain: () => urgentFirst().flatMap((lane) => lane.drain()),
  };
}

interface Lane<T> {
  size(): number;
  add(job: T): void;
  remove(job: T): void;
  take(accepts: (job: T) => boolean): T | null;
  behind(job: T): number;
  takeBehind(job: T, accepts: (next: T) => boolean): T | null;
  charge(job: T, extraCost: number): void;
  drain(): readonly T[];
}

function createLane<T extends WaitingJob>(): Lane<T> {
  const flows = new Map<string, Flow<T>>();
  /** Orders equals by their arrival. */
  const arrivals = new WeakMap<T, number>();
  let arrived = 0;
  /** Where the organizations that are served are now; never goes back. */
  let now = 0;
  let size = 0;

  /** The most deserving first. */
  const waitingFlows = (): readonly Flow<T>[] => {
    const arrival = ({ waiting }: Flow<T>): number => arrivals.get(waiting[0]!)!;
    return [...flows.values()]
      .filter(({ waiting }) => waiting.length > 0)
      .sort((a, b) => a.start - b.start || arrival(a) - arrival(b));
  };
  /** Who waits for nothing and owes nothing is as one who never came. */
  const dropSettledFlows = (): void => {
    for (const [organizationId, { waiting, start }] of flows) {
      if (waiting.length === 0 && (size === 0 || start <= now)) flows.delete(organizationId);
    }
  };

  const takeFirst = (flow: Flow<T>): T => {
    const job = flow.waiting.shift()!;
    flow.start += job.cost;
    size -= 1;
    return job;
  };

  return {
    size: () => size,
    add: (job) => {
      const flow = flows.get(job.organizationId) ?? { waiting: [], start: now };
      if (flow.waiting.length === 0) flow.start = Math.max(flow.start, now);
      flows.set(job.organizationId, flow);
      flow.waiting.push(job);
      arrivals.set(job, (arrived += 1));
      size += 1;
    },
    remove: (job) => {
      const waiting = flows.get(job.organizationId)?.waiting ?? [];
      const index = waiting.indexOf(job);
      if (index < 0) return;
      waiting.splice(index, 1);
      size -= 1;
    },
    take: (accepts) => {
      dropSettledFlows();
      const inOrder = waitingFlows();
      const flow = inOrder.find(({ waiting }) => accepts(waiting[0]!));
      if (flow === undefined) return null;
      // The first in order, not the one that is taken: who was passed over keeps its claim.
      now = Math.max(now, inOrder[0]!.start);
      return takeFirst(flow);
    },
    behind: ({ organizationId }) => flows.get(organizationId)?.waiting.length ?? 0,
    takeBehind: ({ organizationId }, accepts) => {
      const flow = flows.get(organizationId);
      const next = flow?.waiting[0];
      return flow && next && accepts(next) ? takeFirst(flow) : null;
    },
    charge: (job, extraCost) => {
      const flow = flows.get(job.organizationId);
      if (flow) flow.start += Math.max(0, extraCost);
    },
    drain: () => {
      const all = waitingFlows().flatMap(({ waiting }) => waiting);
      flows.clear();
      size = 0;
      return all;
    },
  };
}
