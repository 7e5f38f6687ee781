// The command line that starts Node in a sandbox with bubblewrap, prlimit and setpriv; pure.
import { dirname } from 'node:path';
import { userOfNamespace, type Isolation } from './isolation.ts';

/** Paths of the programs; null where one is missing. */
export interface Programs {
  readonly bwrap: string | null;
  readonly prlimit: string | null;
  readonly setpriv: string | null;
  readonly nice: string | null;
}

export interface Limits {
  /**
   * Writable private memory. Address space is not limited, because V8 reserves 10 GB and uses a
   * hundredth of it.
   */
  readonly dataBytes: number;
  readonly openFiles: number;
  readonly threads: number;
  /** CPU seconds of the whole process; absent for processes that live as long as the service. */
  readonly cpuSeconds?: number;
}

export interface SandboxedCommand {
  /** Path of Node. */
  readonly node: string;
  readonly nodeArguments: readonly string[];
  /** Files and folders that the process may read besides Node and the system's libraries. */
  readonly readable: readonly string[];
  /** A further folder that it may read, and by which path; only with mounts of its own. */
  readonly compiled?: { readonly folder: string; readonly as: string };
  readonly limits: Limits;
  /** User and group, when the process has its own. */
  readonly user: number;
  /** The descriptor from which bubblewrap reads the system call filter. */
  readonly filterDescriptor: number;
  /**
   * The descriptor to which bubblewrap writes the process id of Node; absent when it is not needed.
   */
  readonly infoDescriptor?: number;
}

/**
 * Node is linked to these libraries; neither a shell nor any other program on the path is among
 * them.
 */
const libraries = ['/lib', '/lib64', '/usr/lib', '/usr/lib64', '/etc/ld.so.cache'];
const devices = ['/dev/null', '/dev/urandom'];
/** C libraries and ONNX Runtime count the cores from these files. */
const processors = '/sys/devices/system/cpu';

/** @returns the program and its arguments; null when a required program is missing */
export function sandboxCommand(
  isolation: Isolation,
  programs: Programs,
  command: SandboxedCommand,
): readonly [program: string, ...args: string[]] | null {
  const { bwrap, prlimit, setpriv } = programs;
  const node = [command.node, ...command.nodeArguments] as const;
  if (!isolation.limits) return [...node];
  if (prlimit === null || setpriv === null) return null;
  const limited = [
    prlimit,
    ...limitArguments(isolation, command.limits),
    setpriv,
    ...privilegeArguments(isolation, command.user),
    ...node,
  ] as const;
  if (!isolation.namespaces) return [...limited];
  if (bwrap === null) return null;
  const readable = [prlimit, setpriv, command.node, ...command.readable];
  const bound = mounts(readable, command.compiled);
  return [bwrap, ...namespaceArguments(isolation, command), ...bound, '--', ...limited];
}

function limitArguments(
  { ownUser, userNamespace }: Isolation,
  { dataBytes, openFiles, threads, cpuSeconds }: Limits,
): string[] {
  return [
    '--core=0',
    '--fsize=0',
    `--data=${dataBytes}`,
    `--nofile=${openFiles}`,
    ...(cpuSeconds === undefined ? [] : [`--cpu=${cpuSeconds}`]),
    // The limit counts per user; for a shared user it would count unrelated processes.
    ...(ownUser || userNamespace ? [`--nproc=${threads}`] : []),
  ];
}

function privilegeArguments({ ownUser, userNamespace }: Isolation, user: number): string[] {
  return [
    '--no-new-privs',
    // Changing the user would clear what bubblewrap has set.
    '--pdeathsig=KILL',
    ...(ownUser ? [`--reuid=${user}`, `--regid=${user}`, '--clear-groups'] : []),
    // In a user namespace bubblewrap has already dropped them.
    ...(userNamespace || !ownUser ? [] : ['--inh-caps=-all', '--bounding-set=-all']),
  ];
}

function namespaceArguments(
  { userNamespace, callFilter, ownUser }: Isolation,
  { filterDescriptor, infoDescriptor }: SandboxedCommand,
): string[] {
  const user = String(userOfNamespace);
  const kinds = ['pid', 'net', 'ipc', 'uts', 'cgroup-try', ...(userNamespace ? ['user'] : [])];
  const needed = ownUser ? ['CAP_SETUID', 'CAP_SETGID', 'CAP_SETPCAP'] : [];
  return [
    ...kinds.map((kind) => `--unshare-${kind}`),
    ...(userNamespace ? ['--uid', user, '--gid', user] : []),
    ...['--cap-drop', 'ALL', ...needed.flatMap((capability) => ['--cap-add', capability])],
    ...['--die-with-parent', '--new-session', '--chdir', '/'],
    ...(callFilter ? ['--seccomp', `${filterDescriptor}`] : []),
    ...(infoDescriptor === undefined ? [] : ['--info-fd', `${infoDescriptor}`]),
  ];
}

/** The process has its own root, which holds only these paths, read-only, and no /proc. */
function mounts(readable: readonly string[], compiled: SandboxedCommand['compiled']): string[] {
  const all = [...libraries, processors, ...readable, ...(compiled ? [compiled.as] : [])];
  // They are created first, because bubblewrap would create them for root alone.
  const folders = new Set([...devices, ...all].flatMap(ancestors));
  return [
    ...[...folders].toSorted().flatMap((folder) => ['--dir', folder]),
    ...devices.flatMap((device) => ['--dev-bind', device, device]),
    ...[...libraries, processors].flatMap((path) => ['--ro-bind-try', path, path]),
    ...[...new Set(readable)].toSorted().flatMap((path) => ['--ro-bind', path, path]),
    ...(compiled ? ['--ro-bind', compiled.folder, compiled.as] : []),
    ...['--remount-ro', '/'],
  ];
}

function ancestors(path: string): string[] {
  const parent = dirname(path);
  return parent === '/' ? [] : [...ancestors(parent), parent];
}
