// The service's processes as children of a test: real entry points, killed or patched as needed.
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { mallocArenas, semiSpaceFlag } from '../../bin/stack/applications.ts';
import type { Cleanup } from './cleanup.ts';
import { stopChild } from './stop-child.ts';
import { patchedFork, type Patch } from './patches.ts';

/** Entry points of this version, and where the previous version had them. */
const entries = {
  api: ['bin/api.ts', 'api/main.ts'],
  worker: ['bin/worker.ts', 'activities/batch-worker.ts'],
  streamWorker: ['bin/stream-worker.ts', 'activities/stream-worker.ts'],
};
const ownRoot = join(import.meta.dirname, '..', '..');

export interface ListeningProcess {
  readonly child: ChildProcess;
  readonly port: number;
}

export interface ChildOptions {
  readonly patches?: readonly Patch[];
  /** Overrides for the environment that all of them have. */
  readonly env?: Readonly<Record<string, string>>;
}

export interface Processes {
  startWorker(options?: ChildOptions): ChildProcess;
  startStreamWorker(options?: ChildOptions): Promise<ListeningProcess>;
  /** An API process of its own, beside the one that runs within the test. */
  startApi(options?: ChildOptions): Promise<ListeningProcess>;
}

export interface ProcessesOptions {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Reads what the processes log, at the most verbose level; by default nothing is read. */
  readonly onLog?: ((text: string) => void) | undefined;
  /** Of every process, before those of its own. */
  readonly patches?: readonly Patch[];
  /** Of the tree whose version runs; default: this one. */
  readonly root?: string;
}

/** @param paths of one entry, from the root of a tree: the first that exists is used */
function scriptOf(root: string, paths: readonly string[]): string {
  const scripts = paths.map((path) => join(root, path));
  return scripts.find((script) => existsSync(script)) ?? scripts[0]!;
}

export function createProcesses(
  t: Cleanup,
  { environment, onLog, patches: common = [], root = ownRoot }: ProcessesOptions,
): Processes {
  const start = (
    entry: keyof typeof entries,
    { patches = [], env = {} }: ChildOptions,
  ): ChildProcess => {
    const patched = patchedFork([...common, ...patches], root);
    const child = fork(scriptOf(root, entries[entry]), {
      // With the memory that `npm start` gives them.
      execArgv: [semiSpaceFlag, ...patched.execArgv],
      env: {
        MALLOC_ARENA_MAX: mallocArenas,
        ...environment,
        // A tree of another version has workflows of its own.
        ...(root !== ownRoot && { SVC_WORKFLOW_BUNDLE: '' }),
        SVC_LOG_LEVEL: onLog ? 'trace' : 'error',
        ...env,
        ...patched.env,
      },
      // Standard output is the test's own: the runner shows errors next to a test that fails.
      stdio: ['ignore', onLog ? 'pipe' : process.stderr, onLog ? 'pipe' : 'inherit', 'ipc'],
    });
    for (const stream of [child.stdout, child.stderr]) {
      // Whole lines, because processes write concurrently.
      if (stream) createInterface(stream).on('line', (line) => onLog?.(`${line}\n`));
    }
    t.teardown(() => stopChild(child));
    return child;
  };
  const listening = async (child: ChildProcess): Promise<ListeningProcess> => {
    const ended = once(child, 'exit').then(([code, signal]) => {
      throw new Error(`a process of the test ended before it listened: ${code ?? signal}`);
    });
    const [message] = (await Promise.race([once(child, 'message'), ended])) as [
      { readonly port: number },
    ];
    return { child, port: message.port };
  };
  return {
    startWorker: (options = {}) => start('worker', options),
    startStreamWorker: ({ env, ...options } = {}) =>
      listening(start('streamWorker', { ...options, env: { SVC_STREAM_PORT: '0', ...env } })),
    startApi: ({ env, ...options } = {}) =>
      listening(start('api', { ...options, env: { SVC_PORT: '0', ...env } })),
  };
}
