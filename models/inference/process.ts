// One inference process as the pool sees it: starts, does a job, dies, starts again.
import { fork, type ChildProcess } from 'node:child_process';
import { InferenceFailed, InferenceProcessDied } from './errors.ts';
import type { ChildMessage, Job } from './messages.ts';

const childPath = new URL('child.ts', import.meta.url);

/** A job may take this long before the process counts as hung. */
function limitMs(samples: number): number {
  return 20_000 + (samples / 16_000) * 2_000;
}

export interface InferenceProcess {
  readonly pid: number | undefined;
  /** Resolves when the models are loaded; rejects when the process dies before. */
  readonly ready: Promise<void>;
  /** Resolves when the process is gone, for whatever reason. */
  readonly exited: Promise<void>;
  /** One job at a time. @throws InferenceProcessDied, InferenceFailed */
  run(job: Job, pcm: Int16Array): Promise<unknown>;
  kill(): void;
}

interface Running {
  readonly id: number;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
  readonly timer: NodeJS.Timeout;
}

/** Forks a process that loads the models of `modelsDirectory`. */
export function startInferenceProcess(modelsDirectory: string): InferenceProcess {
  const child = fork(childPath, [modelsDirectory], {
    serialization: 'advanced',
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const ready = Promise.withResolvers<void>();
  const exited = Promise.withResolvers<void>();
  let running: Running | null = null;
  let nextId = 1;

  const finish = (settle: (job: Running) => void): void => {
    if (running === null) return;
    clearTimeout(running.timer);
    const job = running;
    running = null;
    settle(job);
  };
  child.on('message', (message: ChildMessage) => {
    if (message.kind === 'ready') ready.resolve();
    else if (message.id !== running?.id) return;
    else if (message.kind === 'done') finish((job) => job.resolve(message.value));
    else finish((job) => job.reject(new InferenceFailed(message.message)));
  });
  const gone = (reason: string): void => {
    const error = new InferenceProcessDied(`the inference process ended (${reason})`);
    ready.reject(error);
    finish((job) => job.reject(error));
    exited.resolve();
  };
  child.once('exit', (code, signal) => gone(signal ?? `exit code ${code}`));
  child.once('error', (error) => gone(error.message));
  ready.promise.catch(() => {});

  return {
    pid: child.pid,
    ready: ready.promise,
    exited: exited.promise,
    run: (job, pcm) =>
      new Promise((resolve, reject) => {
        const id = nextId++;
        const timer = setTimeout(() => child.kill('SIGKILL'), limitMs(pcm.length));
        running = { id, resolve, reject, timer };
        send(child, { id, job, pcm: compact(pcm) }, () => child.kill('SIGKILL'));
      }),
    kill: () => child.kill('SIGKILL'),
  };
}

function send(child: ChildProcess, message: object, onError: () => void): void {
  child.send(message, (error) => {
    if (error) onError();
  });
}

/** Only the view's own bytes: serialising a view of a pooled buffer would send the whole pool. */
function compact(pcm: Int16Array): Int16Array {
  return pcm.byteLength === pcm.buffer.byteLength ? pcm : pcm.slice();
}
