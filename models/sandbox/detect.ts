// Finds the strongest isolation with which Node starts and can read its code on this machine.
import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { arch, platform } from 'node:os';
import { callFilter } from './call-filter.ts';
import { sandboxCommand, type Programs } from './command.ts';
import { candidates, noIsolation, type Isolation } from './isolation.ts';
import { transientUser } from './transient-user.ts';

/** Where distributions install the programs; PATH is not used, because a caller may control it. */
const folders = ['/usr/bin', '/bin', '/usr/local/bin', '/usr/sbin', '/sbin'];

export interface Sandbox {
  readonly isolation: Isolation;
  readonly programs: Programs;
  /** The filter program; empty when there is none. */
  readonly filter: Uint8Array;
}

const found = new Map<string, Sandbox>();

/** Whether this process runs as root. */
export function isRoot(): boolean {
  return process.getuid?.() === 0;
}

/**
 * Tries each candidate once per set of paths with a real process (60 ms), because kernels,
 * containers and file modes differ and no feature list proves that one works.
 * @param readable files and folders that the process must be able to read
 */
export function findSandbox(readable: readonly string[]): Sandbox {
  const key = readable.join('\n');
  const sandbox = found.get(key) ?? firstThatWorks(readable);
  found.set(key, sandbox);
  return sandbox;
}

function firstThatWorks(readable: readonly string[]): Sandbox {
  const programs = {
    bwrap: findProgram('bwrap'),
    prlimit: findProgram('prlimit'),
    setpriv: findProgram('setpriv'),
    nice: findProgram('nice'),
  };
  const architecture = arch();
  const filter =
    platform() === 'linux' && (architecture === 'x64' || architecture === 'arm64')
      ? callFilter(architecture)
      : null;
  const none = { isolation: noIsolation, programs, filter: new Uint8Array() };
  if (platform() !== 'linux') return none;
  for (const isolation of candidates(isRoot())) {
    if (isolation.callFilter && filter === null) continue;
    const sandbox = {
      isolation,
      programs,
      filter: isolation.callFilter ? filter! : new Uint8Array(),
    };
    if (works(sandbox, readable)) return sandbox;
  }
  return none;
}

const readAll = `for (const path of process.argv.slice(1)) {
  if (fs.statSync(path).isDirectory()) fs.readdirSync(path);
  else fs.closeSync(fs.openSync(path));
}`;

function works({ isolation, programs, filter }: Sandbox, readable: readonly string[]): boolean {
  const command = sandboxCommand(isolation, programs, {
    node: process.execPath,
    nodeArguments: ['--eval', readAll, '--', ...readable],
    readable,
    limits: { dataBytes: 2 ** 31, openFiles: 64, threads: 64 },
    user: transientUser(),
    filterDescriptor: 0,
  });
  if (command === null) return false;
  const [program, ...args] = command;
  const { status } = spawnSync(program, args, {
    env: {},
    input: filter,
    stdio: ['pipe', 'ignore', 'ignore'],
    timeout: 10_000,
  });
  return status === 0;
}

function findProgram(name: string): string | null {
  return folders.map((folder) => `${folder}/${name}`).find(isExecutable) ?? null;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
