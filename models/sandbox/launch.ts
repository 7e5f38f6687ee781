// Starts an untrusted Node process that can reach only what it is given here.
import { spawn, type ChildProcess, type StdioOptions } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { getPriority } from 'node:os';
import type { Readable, Writable } from 'node:stream';
import { openChannel, type Channel, type OnMessage } from './channel.ts';
import { compiledCode } from './compiled-code.ts';
import { sandboxCommand, type Limits } from './command.ts';
import { inheritableDescriptors } from './descriptors.ts';
import { findSandbox } from './detect.ts';
import type { Isolation } from './isolation.ts';
import { transientUser } from './transient-user.ts';

export interface SandboxOptions {
  /** Path of the module to run. */
  readonly script: string;
  readonly args?: readonly string[];
  readonly nodeFlags?: readonly string[];
  /** Its environment; absent: none. Nothing of this process's is passed on. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Code, packages and data that it may read, as absolute paths. */
  readonly code: readonly string[];
  /** An empty folder that only this process may read and only its parent writes. */
  readonly scratch?: string;
  readonly limits: Limits;
  /** Of the scheduler, 0 to 19, from its first instruction on; absent: that of this process. */
  readonly niceness?: number;
  /** The process may send no longer message. */
  readonly maxMessageBytes: number;
  /** Receives what the process sends, which may be anything; what it throws ends the process. */
  readonly onMessage: OnMessage;
}

export interface SandboxedProcess {
  /** Ends with its sandbox. */
  readonly child: ChildProcess;
  readonly send: Channel['send'];
  /** User and group of the process; null when they are those of this process. */
  readonly user: number | null;
  /** Process id of Node as seen from here; undefined until it runs. */
  readonly pid: () => number | undefined;
  /** Ends the process with its whole sandbox, however far its start has come. */
  readonly kill: () => void;
  /** The last output on standard error, for the log but not for callers. */
  readonly lastOutput: () => string;
}

const filterDescriptor = 4;
const infoDescriptor = 5;
const maxLastOutput = 2_000;

/** A process that cannot start emits `error` or ends. */
export function startSandboxed(options: SandboxOptions): SandboxedProcess {
  const { script, args = [], nodeFlags = [], environment = {} } = options;
  const { code, scratch, limits, niceness = 0 } = options;
  const { isolation, programs, filter } = findSandbox(code);
  const user = transientUser();
  const { compiled, environment: ofCompiled } = compiledCode(isolation, user);
  const command = sandboxCommand(isolation, programs, {
    node: process.execPath,
    nodeArguments: [...nodeFlags, script, ...args],
    readable: scratch === undefined ? code : [...code, scratch],
    ...(compiled && { compiled }),
    limits,
    user,
    filterDescriptor,
    infoDescriptor,
  });
  if (command === null) throw new Error('the isolation that was found works no more');
  const [program, ...programArguments] = givingWay(command, programs.nice, niceness);
  const child = spawn(program, programArguments, {
    env: { ...ofCompiled, ...environment },
    stdio: descriptorsOf(isolation),
  });
  // Told to the owner by its own listener; one that has none yet must not end this process.
  child.on('error', () => {});
  const streams = child.stdio as readonly unknown[] | undefined;
  if (!streams) throw new Error('no process can be started: too many files are open');
  const [, , errors, socket, toFilter, info] = streams;
  let lastOutput = '';
  const addOutput = (text: string): void => {
    lastOutput = (lastOutput + text).slice(-maxLastOutput);
  };
  read(errors, addOutput);
  write(toFilter, filter);
  const first = firstProcess(child, isolation, info);
  const channel = openChannel(socket as Socket, {
    maxBytes: options.maxMessageBytes,
    onMessage: options.onMessage,
    onMalformed: (error) => {
      addOutput(`its message was malformed: ${String(error)}`);
      first.kill();
    },
  });
  // A surviving process of the sandbox would keep the channel open, and with it this process.
  child.once('exit', () => channel.close());
  return {
    child,
    send: (message, sendOptions) => channel.send(message, sendOptions),
    user: isolation.ownUser ? user : null,
    pid: () => {
      if (!isolation.namespaces) return child.pid;
      const init = first.pid();
      return init === undefined ? undefined : onlyChildOf(init);
    },
    kill: first.kill,
    lastOutput: () => lastOutput,
  };
}

/**
 * Starting Node and loading its code takes a third of a second of a core, which nobody waits for:
 * by the time this process could set it, bubblewrap has started others that would not have it. Only
 * a privileged process may lower its niceness, so what a nice service starts stays nice.
 */
function givingWay(
  command: readonly [string, ...string[]],
  nice: string | null,
  niceness: number,
): readonly [string, ...string[]] {
  const more = niceness - getPriority();
  return nice === null || more <= 0 ? command : [nice, '-n', String(more), ...command];
}

/**
 * Standard input and output are closed, then come standard error, the channel and bubblewrap's two
 * pipes; every descriptor that would leak becomes /dev/null.
 */
function descriptorsOf({ namespaces }: Isolation): StdioOptions {
  const own = ['ignore', 'ignore', 'pipe', 'pipe', ...(namespaces ? ['pipe', 'pipe'] : [])];
  const { devNull, leaks } = inheritableDescriptors();
  const stdio: (string | number)[] = [...own];
  for (const descriptor of leaks) {
    while (stdio.length < descriptor) stdio.push('ignore');
    if (descriptor >= own.length) stdio[descriptor] = devNull;
  }
  return stdio as StdioOptions;
}

interface FirstProcess {
  readonly pid: () => number | undefined;
  readonly kill: () => void;
}

/**
 * The first process of the sandbox, with which all of it ends. bubblewrap reports its id. If
 * bubblewrap were killed before that, the first process would wait for it forever.
 */
function firstProcess(child: ChildProcess, { namespaces }: Isolation, info: unknown): FirstProcess {
  let report = '';
  let doomed = false;
  const pid = (): number | undefined => {
    if (!namespaces) return child.pid;
    const named = /"child-pid": (\d+)/.exec(report)?.[1];
    return named === undefined ? undefined : Number(named);
  };
  const kill = (): void => {
    doomed = true;
    const target = pid();
    if (target === undefined || child.exitCode !== null || child.signalCode !== null) return;
    try {
      process.kill(target, 'SIGKILL');
    } catch {
      // It may end between the check and the signal.
    }
  };
  read(info, (text) => {
    report += text;
    if (doomed) kill();
  });
  return { pid, kill };
}

/** The first process of a namespace only waits for its single child, which is Node. */
function onlyChildOf(pid: number): number | undefined {
  try {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8');
    return Number.parseInt(children) || undefined;
  } catch {
    return undefined;
  }
}

function read(stream: unknown, onText: (text: string) => void): void {
  const readable = stream as Readable | null | undefined;
  readable?.setEncoding('utf8').on('data', onText);
  readable?.on('error', () => {});
}

function write(stream: unknown, bytes: Uint8Array): void {
  const writable = stream as Writable | null | undefined;
  // A program that has already ended no longer reads; its exit explains why.
  writable?.on('error', () => {});
  writable?.end(bytes);
}
