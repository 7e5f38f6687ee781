// A supervised process of the stack: started, probed, restarted when it dies, and stopped.
import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { openLog, tailOf } from './logs.ts';
import { identify, signalGroup, type ProcessIdentity } from './process-identity.ts';

export interface PartSpec {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly logPath: string;
  /** Another user to run as; set only for root. */
  readonly user?: { readonly uid: number; readonly gid: number };
  /** Its files are readable by their owner alone. */
  readonly privateFiles?: boolean;
  readonly stopSignal: 'SIGTERM' | 'SIGINT';
  /** Seconds until it is killed when it does not stop; default 25. */
  readonly stopSeconds?: number;
  /** Time limit for becoming ready. */
  readonly readySeconds: number;
  /** Probes the process once; rejects while it is not ready. */
  probe(process: { readonly pid: number; readonly signal: AbortSignal }): Promise<void>;
}

export interface PartEvents {
  /** Prints a line for the user. */
  readonly say: (line: string) => void;
  /** The set of running processes has changed. */
  readonly changed: () => void;
}

export interface Part {
  readonly name: string;
  readonly stopSignal: 'SIGTERM' | 'SIGINT';
  readonly identity: () => ProcessIdentity | null;
  /**
   * Resolves when the part is ready. @throws PartFailedError when it ends or does not become ready
   */
  start(): Promise<void>;
  /** Asks the process to stop and waits; kills it after its time limit. */
  stop(): Promise<void>;
  /** Kills the process and its children at once. */
  kill(): void;
}

/**
 * A part ended before it was ready, or never became ready; the message includes its last log lines.
 */
export class PartFailedError extends Error {
  override readonly name = 'PartFailedError';

  constructor(part: string, reason: string, logPath: string) {
    super(`${part} ${reason}. Last lines of ${logPath}:\n${tailOf(logPath)}`);
  }
}

const probeTimeoutMs = 2000;
const probePauseMs = 40;
const lastOutputMs = 500;
// Longer than the 20 s that a worker gives its activities.
const defaultStopSeconds = 25;
const maxBackOffSeconds = 30;
/** A part that ran this long counts as healthy, so its next restart is quick. */
const healthySeconds = 60;

/** Creates a part; nothing runs before `start`. */
export function createPart(spec: PartSpec, events: PartEvents): Part {
  let child: ChildProcess | null = null;
  let running: ProcessIdentity | null = null;
  let ended: Promise<string> = Promise.resolve('was not started');
  let stopping = false;
  let restarts = 0;

  async function launch(): Promise<void> {
    const launchedAt = performance.now();
    child = spawnPart(spec);
    ended = endOf(child).finally(() => {
      running = null;
      events.changed();
    });
    running = child.pid === undefined ? null : identify(child.pid);
    events.changed();
    try {
      await waitUntilReady(spec, child, ended);
    } catch (error) {
      signalTree(child, 'SIGKILL');
      throw error;
    }
    void ended.then((reason) => {
      if (performance.now() - launchedAt > healthySeconds * 1000) restarts = 0;
      return revive(reason);
    });
  }

  async function revive(reason: string): Promise<void> {
    let cause = `${spec.name} ${reason}`;
    while (!stopping) {
      const seconds = Math.min(maxBackOffSeconds, 0.5 * 2 ** restarts);
      restarts += 1;
      events.say(`${cause}; starting it again in ${seconds} s (log: ${spec.logPath})`);
      await sleep(seconds * 1000);
      if (stopping) return;
      try {
        await launch();
        events.say(`${spec.name} is ready again`);
        return;
      } catch (error) {
        cause = error instanceof Error ? error.message : String(error);
      }
    }
  }

  return {
    name: spec.name,
    stopSignal: spec.stopSignal,
    identity: () => running,
    start: launch,
    async stop() {
      stopping = true;
      if (child === null || running === null) return;
      child.kill(spec.stopSignal);
      const timeout = new AbortController();
      const { stopSeconds = defaultStopSeconds } = spec;
      const late = sleep(stopSeconds * 1000, 'late', { signal: timeout.signal });
      late.catch(() => {});
      if ((await Promise.race([ended, late])) === 'late') signalTree(child, 'SIGKILL');
      timeout.abort();
      await ended;
    },
    kill() {
      stopping = true;
      if (child !== null && running !== null) signalTree(child, 'SIGKILL');
    },
  };
}

function spawnPart(spec: PartSpec): ChildProcess {
  const [command, ...args] = withDeathSignal(spec);
  // The umask is inherited, so that the process's files are private.
  const before = spec.privateFiles === true ? process.umask(0o077) : process.umask();
  try {
    const child = spawn(command, args, {
      cwd: spec.cwd,
      env: { ...process.env, ...spec.env },
      stdio: ['ignore', 'pipe', 'pipe'],
      // A separate process group: Ctrl-C reaches only the stack, which stops the parts in order.
      detached: true,
      ...spec.user,
    });
    keepLog(child, spec);
    return child;
  } finally {
    process.umask(before);
  }
}

/** Writes the output of the part and its children to its log until all of them are gone. */
function keepLog(child: ChildProcess, { name, logPath: path }: PartSpec): void {
  const log = openLog({ path, name });
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream]?.setEncoding('utf8').on('data', (piece: string) => log.write(stream, piece));
  }
  child.once('close', () => log.end());
}

const setprivPath = ['/usr/bin/setpriv', '/bin/setpriv'].find((path) => existsSync(path));

/** With util-linux the kernel ends the part when the stack is killed. */
function withDeathSignal(spec: PartSpec): [string, ...string[]] {
  if (process.platform !== 'linux' || setprivPath === undefined) {
    return [spec.command, ...spec.args];
  }
  return [setprivPath, '--pdeathsig', spec.stopSignal.slice(3), spec.command, ...spec.args];
}

/** Describes how a process ended; never rejects. */
function endOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(`could not be started: ${error.message}`));
    child.once('exit', (code, signal) => {
      const reason = signal === null ? `ended with exit code ${code}` : `was ended by ${signal}`;
      // Its last output may still be in the pipe, which surviving children keep open.
      child.once('close', () => resolve(reason));
      setTimeout(resolve, lastOutputMs, reason).unref();
    });
  });
}

async function waitUntilReady(
  spec: PartSpec,
  child: ChildProcess,
  ended: Promise<string>,
): Promise<void> {
  const deadline = performance.now() + spec.readySeconds * 1000;
  let lastError: unknown = null;
  while (performance.now() < deadline) {
    const signal = AbortSignal.timeout(probeTimeoutMs);
    const probed = spec
      .probe({ pid: child.pid ?? 0, signal })
      .then(() => 'ready' as const)
      .catch((error: unknown) => {
        lastError = error;
        return 'not ready' as const;
      });
    const outcome = await Promise.race([probed, ended.then((reason) => ({ reason }))]);
    if (typeof outcome === 'object') {
      throw new PartFailedError(spec.name, outcome.reason, spec.logPath);
    }
    if (outcome === 'ready') return;
    await sleep(probePauseMs);
  }
  const why = lastError instanceof Error ? ` (${lastError.message})` : '';
  const reason = `did not answer within ${spec.readySeconds} s${why}`;
  throw new PartFailedError(spec.name, reason, spec.logPath);
}

function signalTree({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid !== undefined) signalGroup(pid, signal);
}
