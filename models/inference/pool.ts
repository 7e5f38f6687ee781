// Inference processes behind one priority queue: synchronous callers first, a slot bulk cannot
// take.
import { setTimeout as sleep } from 'node:timers/promises';
import { InferenceProcessDied } from './errors.ts';
import { createJobQueue } from './job-queue.ts';
import type { ChunkAnalysis, InferencePool, JobOptions, Priority } from './jobs.ts';
import type { PronouncedWord } from '../proficiency/pronounced-word.ts';
import type { Job } from './messages.ts';
import { startInferenceProcess, type InferenceProcess } from './process.ts';

export interface PoolOptions {
  readonly modelsDirectory: string;
  /** Number of processes; one core each. */
  readonly processes: number;
}

interface QueuedJob {
  readonly job: Job;
  readonly pcm: Int16Array;
  readonly priority: Priority;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

interface Slot {
  process: InferenceProcess;
  /** Ready and without a job. */
  free: boolean;
  /** Bulk jobs in this slot; they may not hold every slot. */
  bulk: boolean;
}

const maxStretchSamples = 120 * 16_000;
const maxChunkSamples = 30 * 16_000;
const firstRestartDelayMs = 50;
const maxRestartDelayMs = 5_000;

/** Starts the processes; `ready()` tells when their models are loaded. */
export function createInferencePool(options: PoolOptions): InferencePool {
  const queue = createJobQueue<QueuedJob>();
  const slots: Slot[] = [];
  let closed = false;

  const dispatch = (): void => {
    for (const slot of slots) {
      if (!slot.free) continue;
      const bulkSlots = slots.filter((other) => other.bulk).length;
      const job = queue.take({ mayRunBulk: slots.length === 1 || bulkSlots < slots.length - 1 });
      if (!job) return;
      void perform(slot, job);
    }
  };

  const perform = async (slot: Slot, job: QueuedJob): Promise<void> => {
    slot.free = false;
    slot.bulk = job.priority !== 1;
    const { process } = slot;
    await process.run(job.job, job.pcm).then(job.resolve, job.reject);
    slot.bulk = false;
    // A process that died in the job was replaced, or will be: `keepAlive` frees the slot then.
    if (slot.process === process && (await isAlive(process))) slot.free = true;
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

  for (let i = 0; i < options.processes; i += 1) {
    const process = startInferenceProcess(options.modelsDirectory);
    const slot = { process, free: false, bulk: false };
    slots.push(slot);
    void keepAlive(slot);
  }

  const enqueue = async (
    job: Job,
    pcm: Int16Array,
    { priority, signal }: JobOptions,
  ): Promise<unknown> => {
    signal?.throwIfAborted();
    if (closed) throw new InferenceProcessDied('the inference pool is closed');
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    const queued = { job, pcm, priority, resolve, reject };
    const abandon = (): void => {
      queue.remove(queued);
      reject(signal?.reason);
    };
    signal?.addEventListener('abort', abandon);
    queue.add(queued);
    dispatch();
    return promise.finally(() => signal?.removeEventListener('abort', abandon));
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
      const error = new InferenceProcessDied('the inference pool was closed');
      for (const job of queue.drain()) job.reject(error);
      for (const slot of slots) slot.process.kill();
      await Promise.all(slots.map((slot) => slot.process.exited));
    },
  };
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

/** Gives an exit that came with the job's rejection the chance to be seen. */
async function isAlive(process: InferenceProcess): Promise<boolean> {
  const gone = process.exited.then(() => false);
  return Promise.race([gone, new Promise<true>((resolve) => setImmediate(resolve, true))]);
}

function assertLength(pcm: Int16Array, maxSamples: number): void {
  if (pcm.length > maxSamples) {
    throw new RangeError(`a job takes at most ${maxSamples} samples, got ${pcm.length}`);
  }
}
