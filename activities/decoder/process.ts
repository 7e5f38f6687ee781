// One decoder process as its parent sees it: a job, its PCM blocks, and the limits that kill it.
import { fileURLToPath } from 'node:url';
import {
  startSandboxed,
  type SandboxedProcess,
  type SandboxOptions,
} from '../../models/sandbox/launch.ts';
import { DecodeError, DecoderDied, DecoderUnavailable, undecodable } from './decode-error.ts';
import type { DecodedAudio, DecodeJob, DecoderMessage } from './messages.ts';
import { createRunningJob, type OnPcm, type RunningJob } from './running-job.ts';
import { createScratch, type Scratch } from './scratch.ts';
import { watchDecoder } from './resource-limits.ts';

const root = new URL('../../', import.meta.url);
const script = fileURLToPath(new URL('child.ts', import.meta.url));

/** What a decoder process can read besides its upload: code, but no data of any caller. */
export const decoderCode: readonly string[] = [
  'activities/decoder',
  'models',
  'node_modules',
  'package.json',
].map((name) => fileURLToPath(new URL(name, root)));

/**
 * An idle process has 0.63 GB of writable memory, of which V8 only reserves 0.5. The CPU seconds
 * cover all of its jobs; a process is replaced before it reaches them.
 */
const limits = { dataBytes: 1536 * 2 ** 20, openFiles: 64, threads: 32, cpuSeconds: 120 };

/** A block of PCM has 128 kB, or what one frame of the file has. */
const maxMessageBytes = 16 * 2 ** 20;

export interface DecoderProcess {
  /** Rejects with DecoderUnavailable when the process ends before it can decode. */
  readonly ready: Promise<void>;
  readonly exited: Promise<void>;
  /** False from the moment it is killed: it accepts no more jobs. */
  isAlive(): boolean;
  /**
   * False once a job has computed so long that the process was moved to a lower scheduling
   * priority.
   */
  hasFullPriority(): boolean;
  /**
   * Runs one job at a time.
   * @throws DecodeError, DecoderDied, DecoderUnavailable, what `onPcm` throws, or the signal's
   * reason
   */
  run(job: DecodeJob, options: RunOptions): Promise<DecodedAudio>;
  kill(): void;
}

export interface RunOptions {
  readonly onPcm: OnPcm;
  readonly signal?: AbortSignal;
}

/** Below the API and the worker, above everything that computes for long. */
const interactiveNiceness = 2;

/**
 * Starts a process that waits for a job with FFmpeg's libraries already loaded.
 * @param parentDirectory where its scratch folder is made
 * @param niceness of the scheduler, 0 to 19
 */
export function startDecoderProcess(
  parentDirectory: string,
  niceness: number = interactiveNiceness,
): DecoderProcess {
  const scratch = createScratch(parentDirectory);
  // Samples are outside of V8's heap, so that a large young generation would stay empty.
  const nodeFlags = ['--max-old-space-size=256', '--max-semi-space-size=2'];
  const ready = Promise.withResolvers<void>();
  const exited = Promise.withResolvers<void>();
  let running: RunningJob | null = null;
  let killReason: string | null = null;
  let alive = true;
  let fullPriority = true;

  const receive = (message: DecoderMessage): void => {
    if (message.kind === 'ready') ready.resolve();
    else running?.receive(message);
  };
  const sandbox = startIn(scratch, {
    ...{ script, args: [String(niceness)], nodeFlags, code: decoderCode },
    // One heap for all threads: each further one would keep what it has freed.
    environment: { MALLOC_ARENA_MAX: '1' },
    ...{ limits, niceness, maxMessageBytes },
    onMessage: (message) => receive(message as DecoderMessage),
  });
  const { child, send, user, pid, kill: end, lastOutput } = sandbox;
  if (user !== null) scratch.chownTo(user);
  send({ kind: 'folder', path: scratch.directory });
  const kill = (reason: string | null = null): void => {
    killReason ??= reason;
    alive = false;
    end();
  };
  const onEnded = (): void => {
    alive = false;
    scratch.remove();
    ready.reject(new DecoderUnavailable(lastOutput()));
    running?.fail(failureOf(killReason));
    exited.resolve();
  };
  child.once('exit', onEnded);
  child.on('error', onEnded);
  ready.promise.catch(() => {});

  const perform = async (job: DecodeJob, { onPcm, signal }: RunOptions): Promise<DecodedAudio> => {
    signal?.throwIfAborted();
    if (!alive) throw new DecoderUnavailable(lastOutput());
    const onConsumed = (): void => send({ kind: 'consumed' });
    const current = createRunningJob(job, { onPcm, onConsumed, onBroken: kill });
    running = current;
    const { isWaiting } = current;
    const watch = watchDecoder({ pid: pid(), isWaiting, onLimit: kill });
    const abort = (): void => {
      current.fail(signal?.reason);
      kill();
    };
    signal?.addEventListener('abort', abort, { once: true });
    send({ kind: 'decode', ...job }, { onError: kill });
    try {
      return await current.outcome;
    } catch (error) {
      if (error instanceof DecodeError || error instanceof DecoderDied) {
        error.cpuSeconds = watch.cpuSeconds();
      }
      throw error;
    } finally {
      running = null;
      fullPriority &&= !watch.isLong();
      watch.stop();
      signal?.removeEventListener('abort', abort);
    }
  };
  return {
    ready: ready.promise,
    exited: exited.promise,
    isAlive: () => alive,
    hasFullPriority: () => fullPriority,
    run: async (job, options) => {
      await ready.promise;
      return inScratchFolder(scratch, job, (moved) => perform(moved, options));
    },
    kill: () => kill(),
  };
}

/** A process that cannot be started leaves no folder. */
function startIn(scratch: Scratch, options: Omit<SandboxOptions, 'scratch'>): SandboxedProcess {
  try {
    return startSandboxed({ ...options, scratch: scratch.directory });
  } catch (error) {
    scratch.remove();
    throw error;
  }
}

/** The upload is in the scratch folder only while the job runs. */
async function inScratchFolder<T>(
  scratch: Scratch,
  job: DecodeJob,
  work: (job: DecodeJob) => Promise<T>,
): Promise<T> {
  try {
    return await work({ ...job, path: await scratch.put(job.path) });
  } finally {
    await scratch.clear();
  }
}

/** @param reason why this process killed it; null when it did not, or not because of the upload */
function failureOf(reason: string | null): Error {
  return reason === null ? new DecoderDied() : undecodable(reason, { killed: true });
}
