// Inference processes behind one priority queue: callers first; while some are about, bulk leaves
// them a slot.
import { setTimeout as sleep } from 'node:timers/promises';
import { InferencePoolClosed, InferenceProcessDied } from './errors.ts';
import { callersStayMs, createPlaces } from './bulk-places.ts';
import { createJobQueue } from './job-queue.ts';
import type { ChunkAnalysis, InferencePool, JobOptions, JobReport, Priority } from './jobs.ts';
import type { PronouncedWord } from '../proficiency/pronounced-word.ts';
import type { Job } from './messages.ts';
import { startInferenceProcess, type InferenceProcess } from './process.ts';

export interface PoolOptions {
  readonly modelsDirectory: string;
  /** Number of processes; one core each. */
  readonly processes: number;
  /** Hears of every job that has ended. */
  readonly onJob?: (report: JobReport) => void;
}

interface QueuedJob {
  readonly job: Job;
  readonly pcm: Int16Array;
  readonly priority: Priority;
  readonly signal: AbortSignal | undefined;
  readonly queuedAt: number;
  /** Processes that it has cost. */
  deaths: number;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

interface Slot {
  process: InferenceProcess;
  /** Ready and without a job. */
  free: boolean;
  /** It works on a bulk job. */
  bulk: boolean;
}

const maxStretchSamples = 120 * 16_000;
const maxChunkSamples = 30 * 16_000;
/** Audio that kills its process this often is given up, so that it cannot go on for ever. */
const maxDeaths = 2;
const firstRestartDelayMs = 50;
const maxRestartDelayMs = 5_000;

/** Starts the processes; `ready()` tells when their models are loaded. */
export function createInferencePool(options: PoolOptions): InferencePool {
  const queue = createJobQueue<QueuedJob>();
  const slots: Slot[] = [];
  let closed = false;
  const places = createPlaces();

  const dispatch = (): void => {
    for (const slot of slots) {
      if (!slot.free) continue;
      const job = queue.take({ mayRunBulk: places.mayRunBulk(slots, performance.now()) });
      if (!job) return;
      void perform(slot, job);
    }
  };

  const endJob = (job: QueuedJob, error: unknown): void => {
    if (!(error instanceof InferenceProcessDied)) job.reject(error);
    else if (closed) job.reject(closedError());
    else if (mayRunAgain(job)) queue.add(job);
    else job.reject(error);
  };

  const perform = async (slot: Slot, job: QueuedJob): Promise<void> => {
    slot.free = false;
    slot.bulk = job.priority !== 1;
    if (!slot.bulk) places.callerSeen(performance.now());
    const { process } = slot;
    const alive = await timed(process, job, options.onJob).then(
      (value) => {
        job.resolve(value);
        return true;
      },
      (error: unknown) => {
        endJob(job, error);
        return !(error instanceof InferenceProcessDied);
      },
    );
    slot.bulk = false;
    // A process that died in the job was replaced, or will be: `keepAlive` frees the slot then.
    if (slot.process === process && alive) slot.free = true;
    dispatch();
  };

  const keepAlive = async (slot: Slot): Promise<void> => {
    let delayMs = firstRestartDelayMs;
    while (!closed) {
      const { process } = slot;
      await process.ready.then(
        () => {
          slot.free = true;
          delayMs = firstRestartDelayMs;
          dispatch();
        },
        () => {},
      );
      await process.exited;
      slot.free = false;
      if (closed) return;
      await sleep(delayMs);
      delayMs = Math.min(delayMs * 2, maxRestartDelayMs);
      if (!closed) slot.process = startInferenceProcess(options.modelsDirectory);
    }
  };

  // Bulk that was held back for callers who went away.
  const resume = setInterval(dispatch, callersStayMs).unref();

  for (let i = 0; i < options.processes; i += 1) {
    const process = startInferenceProcess(options.modelsDirectory);
    const slot = { process, free: false, bulk: false };
    slots.push(slot);
    void keepAlive(slot);
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
    // A free slot takes what is queued at once, so that a free one means an empty queue.
    idle: () => slots.some((slot) => slot.free),
    ready: async () => {
      await Promise.all(slots.map((slot) => slot.process.ready));
    },
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

function closedError(): InferencePoolClosed {
  return new InferencePoolClosed('the inference pool is closed');
}

/** Resolves with the job's outcome; an abort takes it out of the queue. */
function queueJob(
  queue: ReturnType<typeof createJobQueue<QueuedJob>>,
  { job, pcm, priority, signal }: JobOptions & { readonly job: Job; readonly pcm: Int16Array },
): Promise<unknown> {
  const { promise, resolve, reject } = Promise.withResolvers<unknown>();
  const queuedAt = performance.now();
  const queued = { job, pcm, priority, signal, queuedAt, deaths: 0, resolve, reject };
  const abandon = (): void => {
    queue.remove(queued);
    reject(signal?.reason);
  };
  signal?.addEventListener('abort', abandon);
  queue.add(queued);
  return promise.finally(() => signal?.removeEventListener('abort', abandon));
}

async function timed(
  process: InferenceProcess,
  { job, pcm, priority, queuedAt }: QueuedJob,
  onJob: PoolOptions['onJob'],
): Promise<unknown> {
  const startedAt = performance.now();
  try {
    return await process.run(job, pcm);
  } finally {
    const runMs = performance.now() - startedAt;
    onJob?.({ kind: job.kind, priority, waitMs: startedAt - queuedAt, runMs });
  }
}

/** Whatever killed the process may have been somebody else: a job gets another one, once. */
function mayRunAgain(job: QueuedJob): boolean {
  job.deaths += 1;
  return job.deaths < maxDeaths && !job.signal?.aborted;
}

type Enqueue = (job: Job, pcm: Int16Array, options: JobOptions) => Promise<unknown>;

/** The pool's jobs, each within its limit. */
function jobsOf(
  enqueue: Enqueue,
): Pick<
  InferencePool,
  'voiceActivity' | 'analyze' | 'pronounce' | 'countTalkers' | 'embedSpeakers'
> {
  return {
    voiceActivity: async (pcm, options) => {
      assertLength(pcm, maxStretchSamples);
      return (await enqueue({ kind: 'voiceActivity' }, pcm, options)) as Float32Array;
    },
    analyze: async (pcm, request, options) => {
      assertLength(pcm, maxChunkSamples);
      return (await enqueue({ kind: 'analyze', request }, pcm, options)) as ChunkAnalysis;
    },
    pronounce: async (pcm, words, options) => {
      assertLength(pcm, maxChunkSamples);
      const pronounced = await enqueue({ kind: 'pronounce', words }, pcm, options);
      return pronounced as readonly PronouncedWord[];
    },
    countTalkers: async (pcm, options) => {
      assertLength(pcm, maxChunkSamples);
      return (await enqueue({ kind: 'countTalkers' }, pcm, options)) as Float32Array;
    },
    embedSpeakers: async (pcm, startSamples, options) => {
      assertLength(pcm, maxStretchSamples);
      return (await enqueue({ kind: 'embedSpeakers', startSamples }, pcm, options)) as Float32Array;
    },
  };
}

function assertLength(pcm: Int16Array, maxSamples: number): void {
  if (pcm.length > maxSamples) {
    throw new RangeError(`a job takes at most ${maxSamples} samples, got ${pcm.length}`);
  }
}
