// One decoder process as its parent sees it: a job, its PCM blocks, and the limits that kill it.
import { fileURLToPath } from 'node:url';
import { startSandboxed } from '../../models/sandbox/launch.ts';
import { DecodeError, DecoderDied, undecodable } from './decode-error.ts';
import { isPlausible, nothingHeard, type Heard } from './heard.ts';
import type { DecodedAudio, DecodeJob, DecoderMessage } from './messages.ts';
import { createScratch, type Scratch } from './scratch.ts';
import { watchDecoder } from './watch.ts';

const root = new URL('../../', import.meta.url);
const script = fileURLToPath(new URL('child.ts', import.meta.url));

/** What a decoder process can read; nothing of it is anybody's data. */
export const decoderCode: readonly string[] = [
  'activities/decoder',
  'models',
  'node_modules',
  'package.json',
].map((name) => fileURLToPath(new URL(name, root)));

/**
 * An idle one has 0.63 GB of writable memory, of which V8 only reserves 0.5. CPU seconds are of
 * all its jobs, which are replaced before they come to so many.
 */
const limits = { dataBytes: 1536 * 2 ** 20, openFiles: 64, threads: 32, cpuSeconds: 120 };

export type OnPcm = (pcm: Int16Array) => Promise<void> | void;

export interface DecoderProcess {
  readonly ready: Promise<void>;
  readonly exited: Promise<void>;
  /** False from the moment in which it is killed: it takes no job any more. */
  isAlive(): boolean;
  /** False once a job has computed so long that the process was put behind all others. */
  isPrompt(): boolean;
  /**
   * One job at a time.
   * @throws DecodeError, DecoderDied; also what `onPcm` throws; the signal's reason
   */
  run(job: DecodeJob, options: RunOptions): Promise<DecodedAudio>;
  kill(): void;
}

export interface RunOptions {
  readonly onPcm: OnPcm;
  readonly signal?: AbortSignal;
}

interface Running {
  readonly job: DecodeJob;
  readonly onPcm: OnPcm;
  readonly resolve: (audio: DecodedAudio) => void;
  readonly reject: (error: unknown) => void;
  readonly heard: Heard;
  /** Blocks are handed on one after the other; the result waits for the last. */
  delivered: Promise<void>;
  undelivered: number;
}

/**
 * Starts a process that waits for a job with FFmpeg's libraries already loaded.
 * @param parentDirectory where its scratch folder is made
 */
export function startDecoderProcess(parentDirectory: string): DecoderProcess {
  const scratch = createScratch(parentDirectory);
  const nodeFlags = ['--max-old-space-size=256'];
  const sandbox = { script, nodeFlags, code: decoderCode, scratch: scratch.directory, limits };
  const { child, user, pid } = startSandboxed(sandbox);
  if (user !== null) scratch.giveTo(user);
  const ready = Promise.withResolvers<void>();
  const exited = Promise.withResolvers<void>();
  let running: Running | null = null;
  let killReason: string | null = null;
  let alive = true;
  let prompt = true;

  const finish = (settle: (current: Running) => void): void => {
    const current = running;
    running = null;
    if (current) settle(current);
  };
  const kill = (reason: string | null = null): void => {
    killReason ??= reason;
    alive = false;
    child.kill('SIGKILL');
  };
  const deliver = (current: Running, pcm: Int16Array): void => {
    current.undelivered += 1;
    current.delivered = current.delivered
      .then(() => current.onPcm(pcm))
      .then(() => {
        current.undelivered -= 1;
        child.send({ kind: 'taken' }, () => {});
      });
    // The failure is reported once, here; later blocks find `running` empty.
    current.delivered.catch((error: unknown) => {
      if (running !== current) return;
      finish(({ reject }) => reject(error));
      kill();
    });
  };
  child.on('message', (message: DecoderMessage) => {
    if (message.kind === 'ready') return ready.resolve();
    const current = running;
    if (!current || message.id !== current.job.id) return;
    if (!isPlausible(message, current.heard, current.job.maxSeconds)) return kill();
    if (message.kind === 'pcm') return deliver(current, message.pcm);
    if (message.kind === 'failed') {
      return finish(({ reject }) => reject(new DecodeError(message.code, message.message)));
    }
    const { samples, sourceSamples, sourceRate, sourceChannels } = message;
    const audio = { samples, sourceSamples, sourceRate, sourceChannels };
    void current.delivered.then(
      () => finish(({ resolve }) => resolve(audio)),
      () => {},
    );
  });
  const gone = (): void => {
    alive = false;
    scratch.remove();
    ready.reject(new DecoderDied());
    finish(({ reject }) => reject(failureOf(killReason)));
    exited.resolve();
  };
  child.once('exit', gone);
  child.once('error', gone);
  ready.promise.catch(() => {});

  const perform = async (job: DecodeJob, { onPcm, signal }: RunOptions): Promise<DecodedAudio> => {
    signal?.throwIfAborted();
    const abort = (): void => {
      finish(({ reject }) => reject(signal?.reason));
      kill();
    };
    const outcome = new Promise<DecodedAudio>((resolve, reject) => {
      const start = { heard: nothingHeard(), delivered: Promise.resolve(), undelivered: 0 };
      running = { job, onPcm, resolve, reject, ...start };
    });
    const watch = watchDecoder({
      pid: pid(),
      isWaiting: () => (running?.undelivered ?? 0) > 0,
      onLimit: kill,
    });
    signal?.addEventListener('abort', abort, { once: true });
    child.send({ kind: 'decode', ...job }, (error) => {
      if (error) kill();
    });
    try {
      return await outcome;
    } finally {
      prompt &&= !watch.isLong();
      watch.stop();
      signal?.removeEventListener('abort', abort);
    }
  };
  return {
    ready: ready.promise,
    exited: exited.promise,
    isAlive: () => alive,
    isPrompt: () => prompt,
    run: async (job, options) => {
      await ready.promise;
      return withUpload(scratch, job, (moved) => perform(moved, options));
    },
    kill: () => kill(),
  };
}

/** The upload lies in the scratch folder while the job runs, and no longer. */
async function withUpload<T>(
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

/** @param reason why we ended it; null when we did not, or for nothing that the upload did */
function failureOf(reason: string | null): Error {
  return reason === null ? new DecoderDied() : undecodable(reason);
}
