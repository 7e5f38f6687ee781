// A fair queue of jobs: a lower priority number goes first, and among equals the organization that
// has been served least; pure. Start-time fair queueing (Goyal, Vin and Cheng 1996) with one flow
// per organization.

export interface WaitingJob {
  readonly organizationId: string;
  /** A lower number always goes first. */
  readonly priority: number;
  /** Expected cost of the job, above 0, in any one unit. */
  readonly cost: number;
}

export interface FairQueue<T extends WaitingJob> {
  /** The number of waiting jobs. */
  readonly size: number;
  /**
   * Appends a job to its organization's jobs of the same priority. @throws RangeError unless its
   * cost is above 0
   */
  add(job: T): void;
  /** Removes a job that its sender no longer wants. */
  remove(job: T): void;
  /**
   * Takes the next job; null when none waits or none is accepted.
   * @param accepts called with the first job of each organization, in the order of service
   */
  take(accepts?: (job: T) => boolean): T | null;
  /** How many jobs of the same organization and priority wait behind a job that was taken. */
  behind(job: T): number;
  /** Takes the first of those, provided that it is accepted. */
  takeBehind(job: T, accepts: (next: T) => boolean): T | null;
  /** Charges an organization for what a job has cost beyond its expected cost. */
  charge(job: T, extraCost: number): void;
  /** Empties the queue. */
  drain(): readonly T[];
}

interface Flow<T> {
  readonly waiting: T[];
  /**
   * Virtual time at which the next job may start: the service received, in the unit of the costs.
   */
  start: number;
}

/**
 * In virtual time an organization's next job starts where its last one ended. One that was idle
 * starts level with the others, so that idle time earns no credit; it waits for at most one job of
 * each other organization. Debts lapse when the queue is empty.
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
  /** Breaks ties by arrival. */
  const arrivals = new WeakMap<T, number>();
  let arrived = 0;
  /** Virtual time of the service; it never goes back. */
  let now = 0;
  let size = 0;

  /** In the order of service. */
  const waitingFlows = (): readonly Flow<T>[] => {
    const arrival = ({ waiting }: Flow<T>): number => arrivals.get(waiting[0]!)!;
    return [...flows.values()]
      .filter(({ waiting }) => waiting.length > 0)
      .sort((a, b) => a.start - b.start || arrival(a) - arrival(b));
  };
  /** A flow without waiting jobs and without debt is the same as no flow. */
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
      // The virtual time follows the first flow in order even when another one is taken, so that a
      // flow that was passed over keeps its claim.
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
