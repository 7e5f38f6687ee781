// Inference processes behind one queue: interactive requests first, organizations in fair shares,
// and concurrent jobs in time slices when every process is in use.
import { sampleRate } from '../audio/sample-rate.ts';
import { noAssignments, type Assignments } from '../bundles/assignments.ts';
import { defaultEnglishBundle } from '../bundles/english-bundles.ts';
import { createFairQueue } from '../fairness/fair-queue.ts';
import { createIdleCores } from '../fairness/idle-cores.ts';
import { InferencePoolClosed, InferenceProcessDied } from './errors.ts';
import { runGroup, takeGroup, type JobGroup } from './job-group.ts';
import type { ChunkAnalysis, InferencePool, JobOptions, JobReport } from './jobs.ts';
import type { HeardWord } from '../proficiency/pronounced-word.ts';
import type { Job } from './messages.ts';
import { allReady, keepRunning, type ProcessPlace } from './keep-running.ts';
import { createPlacement, hasSpareCore, tenantReserveMs, type PlacedJob } from './placement.ts';
import { startInferenceProcess, type InferenceProcess } from './process.ts';
import { queueJob, shouldRequeue, type QueuedJob } from './queued-job.ts';
import { nothingHeard } from '../vad/steady-level.ts';

export interface PoolOptions {
  readonly modelsDirectory: string;
  /** The folder of weights that were packed on this machine (docs/adr/0068); none by default. */
  readonly packedWeights?: string | undefined;
  /** The bundle that recognises English; that of the catalog by default. */
  readonly englishBundle?: string;
  /** Bundles in the place of the catalog's; none by default. */
  readonly assignments?: Assignments;
  /** The number of processes, one per core. */
  readonly processes: number;
  /** Called for every job that has ended. */
  readonly onJob?: (report: JobReport) => void;
}

interface Slot extends ProcessPlace {
  /** The jobs that share its core. */
  readonly open: Set<PlacedJob>;
}

/** Of jobs that read a recording for its speech or its speakers. */
const maxScanSamples = 120 * sampleRate;
/** Of jobs that recognise or align. */
const maxChunkSamples = 30 * sampleRate;
/**
 * Below every process that a caller waits for. It costs nothing while a core is free; otherwise an
 * organization that fills the processes with long jobs takes only what the others leave.
 */
const niceness = 15;
/** For the process in which short jobs are placed first, because callers wait for them. */
const shortJobNiceness = 2;
/** Of the machine, for all pools of this process. */
const idleCores = createIdleCores();

/** Starts the processes; `ready()` resolves when their models are loaded. */
export function createInferencePool(options: PoolOptions): InferencePool {
  const queue = createFairQueue<QueuedJob>();
  const slots: Slot[] = Array.from({ length: options.processes }, (_, index) => ({
    process: startAt(index, options),
    ready: false,
    open: new Set(),
  }));
  const placement = createPlacement(slots);
  let closed = false;

  const dispatch = (): void => {
    const nowMs = performance.now();
    for (;;) {
      let slot: Slot | null = null;
      const job = queue.take((waiting) => (slot = placement.find(waiting, nowMs)) !== null);
      if (!job || !slot) return;
      void perform(slot, takeGroup(queue, job, slots.length));
    }
  };

  const endJob = (job: QueuedJob, error: unknown, { alone }: { alone: boolean }): void => {
    if (closed && error instanceof InferenceProcessDied) job.reject(closedError());
    else if (shouldRequeue(job, error, { alone })) queue.add(job);
    else job.reject(error);
  };

  const perform = async (slot: Slot, group: JobGroup): Promise<void> => {
    const { process, open } = slot;
    const { jobs, organizationId, priority } = group;
    const spareCore = hasSpareCore(group, slots, idleCores);
    open.add(group);
    const seen = (cost = 0): void => {
      if (priority === 1) placement.interactiveSeen(organizationId, performance.now(), cost);
    };
    seen(group.cost);
    const charge = (extraMs: number): void => queue.charge(jobs[0]!, extraMs);
    try {
      await runGroup(process, group, { spareCore, charge, onJob: options.onJob });
    } catch (error) {
      // Its successor becomes ready later; until then the slot takes no job.
      if (error instanceof InferenceProcessDied && slot.process === process) slot.ready = false;
      for (const job of jobs) endJob(job, error, { alone: jobs.length === 1 });
    } finally {
      open.delete(group);
      seen();
    }
    dispatch();
  };

  // Dispatches jobs that were held back for a reserve that has lapsed.
  const resume = setInterval(dispatch, tenantReserveMs).unref();

  for (const [index, slot] of slots.entries()) {
    const start = (): InferenceProcess => startAt(index, options);
    void keepRunning(slot, { start, onReady: dispatch, isClosed: () => closed });
  }

  const enqueue: Enqueue = async (job, pcm, jobOptions) => {
    jobOptions.signal?.throwIfAborted();
    if (closed) throw closedError();
    const ended = queueJob(queue, { job, pcm, ...jobOptions });
    dispatch();
    return ended;
  };

  return {
    size: options.processes,
    // A free slot takes a queued job at once, so a free slot means an empty queue.
    idle: () => slots.some(({ ready, open }) => ready && open.size === 0),
    ready: () => allReady(slots, () => closed),
    ...jobsOf(enqueue),
    close: async () => {
      closed = true;
      clearInterval(resume);
      for (const job of queue.drain()) job.reject(closedError());
      for (const slot of slots) slot.process.kill();
      await Promise.all(slots.map((slot) => slot.process.exited));
    },
  };
}

function startAt(index: number, options: PoolOptions): InferenceProcess {
  const { modelsDirectory, packedWeights = null, processes } = options;
  const { englishBundle = defaultEnglishBundle, assignments = noAssignments } = options;
  const isLast = index === processes - 1;
  const ownNiceness = isLast ? shortJobNiceness : niceness;
  return startInferenceProcess({
    ...{ modelsDirectory, packedWeights, englishBundle, assignments },
    niceness: ownNiceness,
  });
}

function closedError(): InferencePoolClosed {
  return new InferencePoolClosed('the inference pool is closed');
}

type Enqueue = (job: Job, pcm: Int16Array, options: JobOptions) => Promise<unknown>;

/** The pool's jobs, each with its length limit. */
function jobsOf(
  enqueue: Enqueue,
): Pick<
  InferencePool,
  'voiceActivity' | 'analyze' | 'pronounce' | 'countSpeakers' | 'embedSpeakers'
> {
  return {
    voiceActivity: async (pcm, { heard = nothingHeard, ...options }) => {
      assertLength(pcm, maxScanSamples);
      return (await enqueue({ kind: 'voiceActivity', heard }, pcm, options)) as Float32Array;
    },
    analyze: async (pcm, request, options) => {
      assertLength(pcm, maxChunkSamples);
      const chunks = [{ samples: pcm.length, request }];
      return (await enqueue({ kind: 'analyze', chunks }, pcm, options)) as ChunkAnalysis;
    },
    pronounce: async (pcm, known, options) => {
      assertLength(pcm, maxChunkSamples);
      const pronounced = await enqueue({ kind: 'pronounce', ...known }, pcm, options);
      return pronounced as readonly HeardWord[];
    },
    countSpeakers: async (pcm, options) => {
      assertLength(pcm, maxChunkSamples);
      return (await enqueue({ kind: 'countSpeakers' }, pcm, options)) as Float32Array;
    },
    embedSpeakers: async (pcm, startSamples, options) => {
      assertLength(pcm, maxScanSamples);
      return (await enqueue({ kind: 'embedSpeakers', startSamples }, pcm, options)) as Float32Array;
    },
  };
}

function assertLength(pcm: Int16Array, maxSamples: number): void {
  if (pcm.length > maxSamples) {
    throw new RangeError(`a job takes at most ${maxSamples} samples, got ${pcm.length}`);
  }
}
