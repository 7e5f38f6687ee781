// One decoder process as its parent sees it: a job, its PCM blocks, and the limits that kill it.
import { fork } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { DecodeError, DecoderDied, undecodable } from './decode-error.ts';
import type { DecodedAudio, DecodeJob, DecoderMessage } from './messages.ts';

const childPath = new URL('child.ts', import.meta.url);

/**
 * 60 minutes decode in about 5 s here; a job that needs this long is hostile or the machine is
 * lost.
 */
const maxJobMs = 120_000;
/** Largest good file measured: 150 MB; a decoder that needs more is being attacked. */
const maxResidentBytes = 768 * 2 ** 20;
const watchIntervalMs = 250;
const pageBytes = 4096;

export type OnPcm = (pcm: Int16Array) => Promise<void> | void;

export interface DecoderProcess {
  readonly pid: number | undefined;
  readonly ready: Promise<void>;
  readonly exited: Promise<void>;
  /** False from the moment in which it is killed: it takes no job any more. */
  isAlive(): boolean;
  /**
   * One job at a time.
   * @throws DecodeError, DecoderDied; also what `onPcm` throws; the signal's reason
   */
  run(job: DecodeJob, options: { onPcm: OnPcm; signal?: AbortSignal }): Promise<DecodedAudio>;
  kill(): void;
}

interface Running {
  readonly job: DecodeJob;
  readonly onPcm: OnPcm;
  readonly resolve: (audio: DecodedAudio) => void;
  readonly reject: (error: unknown) => void;
  /** Blocks are handed on one after the other; the result waits for the last. */
  delivered: Promise<void>;
}

/** Forks a process that waits for a job with FFmpeg's libraries already loaded. */
export function startDecoderProcess(): DecoderProcess {
  const child = fork(childPath, {
    serialization: 'advanced',
    execArgv: ['--max-old-space-size=256'],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const ready = Promise.withResolvers<void>();
  const exited = Promise.withResolvers<void>();
  let running: Running | null = null;
  let killReason: string | null = null;
  let alive = true;

  const finish = (settle: (current: Running) => void): void => {
    const current = running;
    running = null;
    if (current) settle(current);
  };
  const kill = (reason?: string): void => {
    if (reason) killReason = reason;
    alive = false;
    child.kill('SIGKILL');
  };
  const deliver = (current: Running, pcm: Int16Array): void => {
    current.delivered = current.delivered
      .then(() => current.onPcm(pcm))
      .then(() => void child.send({ kind: 'taken' }, () => {}));
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
    ready.reject(new Error('the decoder process ended before it was ready'));
    finish(({ reject }) => reject(failureOf(killReason)));
    exited.resolve();
  };
  child.once('exit', gone);
  child.once('error', gone);
  ready.promise.catch(() => {});

  const run: DecoderProcess['run'] = async (job, { onPcm, signal }) => {
    signal?.throwIfAborted();
    const timer = setTimeout(() => kill('decoding it takes too long'), maxJobMs);
    const watch = setInterval(() => {
      void residentBytes(child.pid).then((bytes) => {
        if (bytes > maxResidentBytes) kill('decoding it takes too much memory');
      });
    }, watchIntervalMs);
    const abort = (): void => {
      finish(({ reject }) => reject(signal?.reason));
      kill();
    };
    signal?.addEventListener('abort', abort, { once: true });
    try {
      return await new Promise((resolve, reject) => {
        running = { job, onPcm, resolve, reject, delivered: Promise.resolve() };
        child.send({ kind: 'decode', ...job }, (error) => {
          if (error) kill();
        });
      });
    } finally {
      clearTimeout(timer);
      clearInterval(watch);
      signal?.removeEventListener('abort', abort);
    }
  };
  return {
    pid: child.pid,
    ready: ready.promise,
    exited: exited.promise,
    isAlive: () => alive,
    run,
    kill: () => kill(),
  };
}

/** @param reason why we ended it; null when we did not */
function failureOf(reason: string | null): Error {
  return reason === null ? new DecoderDied() : undecodable(reason);
}

/** Resident memory on Linux; elsewhere 0, and only time and output are limited. */
async function residentBytes(pid: number | undefined): Promise<number> {
  const text = await readFile(`/proc/${pid}/statm`, 'utf8').catch(() => '0 0');
  return Number(text.split(' ')[1]) * pageBytes;
}
