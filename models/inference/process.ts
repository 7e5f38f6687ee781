// One inference process as the pool sees it: it starts, runs jobs in time slices, and dies.
import { sampleRate } from '../audio/sample-rate.ts';
import { bytesOf } from '../audio/samples.ts';
import { existsSync } from 'node:fs';
import { resolve as absolute } from 'node:path';
import { fileURLToPath } from 'node:url';
import { formatAssignments, type Assignments } from '../bundles/assignments.ts';
import type { JobClaim } from '../fairness/core-scheduler.ts';
import { startSandboxed } from '../sandbox/launch.ts';
import { InferenceFailed, InferenceProcessDied } from './errors.ts';
import type { ChildMessage, Job, JobTimes } from './messages.ts';

const root = new URL('../../', import.meta.url);
const script = fileURLToPath(new URL('child.ts', import.meta.url));

/**
 * With its models loaded the process has 1.2 GB of writable memory, of which V8 only reserves 0.5;
 * with jobs of every kind it had 1.6. There is no limit of CPU seconds: the process lives as long
 * as the worker, and each job has a time limit.
 */
const limits = { dataBytes: 4 * 2 ** 30, openFiles: 128, threads: 64 };

/**
 * All sessions take their memory from one heap of glibc (docs/adr/0047): a further heap of another
 * thread would keep what it has freed, and so would the list of mapped blocks, whose limit grows
 * with each that is freed unless it is set.
 */
const environment = {
  MALLOC_ARENA_MAX: '1',
  MALLOC_MMAP_THRESHOLD_: String(8 * 2 ** 20),
  MALLOC_TRIM_THRESHOLD_: String(64 * 2 ** 20),
};

/**
 * Samples and states are outside of V8's heap: a large young generation would stay empty
 * (docs/adr/0047).
 */
const nodeFlags = ['--max-semi-space-size=4'];

/** A group of sixteen chunks has results of some hundred kilobytes. */
const maxMessageBytes = 64 * 2 ** 20;

/**
 * What an inference process can read: code and models, but no data of any caller.
 * @param packedWeights made on this machine (docs/adr/0068); null: none
 */
export function inferenceCode(
  modelsDirectory: string,
  packedWeights: string | null = null,
): readonly string[] {
  const own = ['models', 'node_modules', 'package.json'];
  const models = [modelsDirectory, ...(packedWeights === null ? [] : [packedWeights])];
  return [
    ...own.map((name) => fileURLToPath(new URL(name, root))),
    ...models.map((path) => absolute(path)),
  ];
}

/** How long a job may have the core before its process counts as hung. */
function limitMs(samples: number): number {
  return 20_000 + (samples / sampleRate) * 2_000;
}

export interface InferenceProcess {
  /** Resolves when the models are loaded; rejects when the process dies before that. */
  readonly ready: Promise<void>;
  /** Resolves when the process has ended, for any reason. */
  readonly exited: Promise<void>;
  /**
   * Concurrent jobs share the core.
   * @param pcm the job's samples, in blocks
   * @throws InferenceProcessDied, InferenceFailed
   */
  run(job: Job, pcm: readonly Int16Array[], options: RunOptions): Promise<unknown>;
  kill(): void;
}

export interface RunOptions {
  readonly claim: JobClaim;
  /** No other job wants the next core. */
  readonly spareCore: boolean;
  /** Called when the job has ended, before `run` resolves or rejects. */
  readonly onEnd: (times: JobTimes) => void;
}

interface Running extends Pick<RunOptions, 'onEnd'> {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
  /** What remains of its time limit. */
  remainingMs: number;
}

export interface StartOptions {
  readonly modelsDirectory: string;
  /** The folder of weights that were packed on this machine; null: none. */
  readonly packedWeights: string | null;
  /** The bundle that recognises English. */
  readonly englishBundle: string;
  readonly assignments: Assignments;
  /** Niceness of the scheduler, 0 to 19. */
  readonly niceness: number;
}

/** Starts a process that loads the models of `modelsDirectory` and can read nothing else. */
export function startInferenceProcess({
  modelsDirectory,
  packedWeights: packedOnce,
  englishBundle,
  assignments,
  niceness,
}: StartOptions): InferenceProcess {
  // A set-up of another version has removed them since: the process packs its own.
  const packedWeights = packedOnce !== null && existsSync(packedOnce) ? packedOnce : null;
  const ready = Promise.withResolvers<void>();
  const exited = Promise.withResolvers<void>();
  const running = new Map<number, Running>();
  let nextId = 1;
  let ended: string | null = null;

  const receive = (message: ChildMessage): void => {
    if (message.kind === 'ready') return ready.resolve();
    if (message.kind === 'turn') return watch.resume(message.id);
    const job = running.get(message.id);
    if (!job) return;
    watch.ended(message.id);
    job.onEnd({ runMs: message.runMs, blockingMs: message.blockingMs });
    if (message.kind === 'done') job.resolve(message.value);
    else job.reject(new InferenceFailed(message.message));
  };
  const { child, send, kill, lastOutput } = startSandboxed({
    script,
    args: [
      ...[absolute(modelsDirectory), englishBundle],
      ...[formatAssignments(assignments), String(niceness)],
      ...(packedWeights === null ? [] : [absolute(packedWeights)]),
    ],
    ...{ nodeFlags, environment },
    code: inferenceCode(modelsDirectory, packedWeights),
    limits,
    niceness,
    maxMessageBytes,
    onMessage: (message) => receive(message as ChildMessage),
  });
  const watch = watchSlices(running, kill);
  const onEnded = (reason: string): void => {
    ended = reason;
    ready.reject(new InferenceProcessDied(reason, { suspect: false }));
    const suspect = watch.current();
    const jobs = [...running];
    watch.stop();
    for (const [id, job] of jobs) {
      job.reject(new InferenceProcessDied(reason, { suspect: id === suspect }));
    }
    exited.resolve();
  };
  child.once('exit', (code, signal) => {
    onEnded(`${signal ?? `exit code ${code}`}${describeOutput(lastOutput())}`);
  });
  child.on('error', (error) => onEnded(error.message));
  ready.promise.catch(() => {});

  return {
    ready: ready.promise,
    exited: exited.promise,
    run: (job, pcm, { claim, spareCore, onEnd }) =>
      new Promise((resolve, reject) => {
        if (ended !== null) return reject(new InferenceProcessDied(ended, { suspect: false }));
        const id = nextId++;
        const samples = pcm.reduce((sum, { length }) => sum + length, 0);
        running.set(id, { resolve, reject, onEnd, remainingMs: limitMs(samples) });
        // An otherwise idle process has to start with this job.
        if (running.size === 1) watch.resume(id);
        send({ id, job, claim, spareCore }, { attached: pcm.map(bytesOf), onError: kill });
      }),
    kill,
  };
}

function describeOutput(output: string): string {
  return output === '' ? '' : `; its last output: ${output}`;
}

interface SliceWatch {
  /** The job has the core from now on; the time limits of the others are paused. */
  resume(id: number): void;
  ended(id: number): void;
  /** The job that has the core. */
  current(): number | null;
  /** Forgets every job. */
  stop(): void;
}

/** Counts the slices of each job against its time limit. */
function watchSlices(running: Map<number, Running>, onHung: () => void): SliceWatch {
  let current: number | null = null;
  let since = 0;
  let timer: NodeJS.Timeout | undefined;

  const pause = (): void => {
    clearTimeout(timer);
    const job = current === null ? undefined : running.get(current);
    if (job) job.remainingMs -= performance.now() - since;
    current = null;
  };
  return {
    resume(id) {
      pause();
      const job = running.get(id);
      if (!job) return;
      current = id;
      since = performance.now();
      timer = setTimeout(onHung, Math.max(0, job.remainingMs));
    },
    ended(id) {
      if (current === id) pause();
      running.delete(id);
    },
    current: () => current,
    stop() {
      pause();
      running.clear();
    },
  };
}
