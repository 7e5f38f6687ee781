// Which ports are free, and which process holds one that is not.
import { randomInt } from 'node:crypto';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import type { PortSetting } from '../settings/stack-settings.ts';

/** Ports of the stack are in use; the message names each, its holder and the variable to set. */
export class PortTakenError extends Error {
  override readonly name = 'PortTakenError';
}

/** What listens on a port. */
export interface PortUse {
  readonly use: string;
  readonly setting: PortSetting;
  /** `SVC_HOST` where it is followed; else this machine alone is listened to. */
  readonly host?: string;
}

const loopback = '127.0.0.1';

/** @throws PortTakenError for all that are not to be had */
export async function requireFreePorts(uses: readonly PortUse[]): Promise<void> {
  const faults: string[] = [];
  for (const { use, setting, host } of uses) {
    const fault = await faultOf(setting, host);
    if (fault !== null) faults.push(`port ${setting.port} (${use}) ${fault}.`);
  }
  if (faults.length > 0) throw new PortTakenError(faults.join('\n'));
}

const noAddress: ReadonlySet<string> = new Set(['EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN']);

/** Why the port cannot be listened on, and what to do; null when it can. */
async function faultOf({ port, variable }: PortSetting, host?: string): Promise<string | null> {
  const code = await listenError(port, host);
  const another = `choose another port with ${variable}=<port>`;
  if (code === null) return null;
  if (code === 'EACCES') return `is not open to this user: ${another}`;
  if (host !== undefined && noAddress.has(code)) {
    return `cannot be listened on at ${host} (${code}): set SVC_HOST to an address of this machine`;
  }
  if (code !== 'EADDRINUSE') return `cannot be listened on (${code}): ${another}`;
  const holder = holderOfPort(port);
  return `is in use${holder === null ? '' : ` by ${holder}`}. Stop that program, or ${another}`;
}

/** The code of the error; null without one. */
function listenError(port: number, host = loopback): Promise<string | null> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', ({ code }: NodeJS.ErrnoException) => resolve(code ?? 'unknown'));
    server.listen({ port, host, exclusive: true }, () => {
      server.close(() => resolve(null));
    });
  });
}

/** Above those that are well known, and below those that systems give to connections. */
const listeningPorts = { first: 20_000, last: 32_767 };

/**
 * Distinct free ports that no connection of another program is given meanwhile, as far as the
 * system has any.
 * @param except ports that are free but reserved
 */
export async function findListeningPorts(
  count: number,
  except: readonly number[] = [],
): Promise<number[]> {
  const { first } = listeningPorts;
  const last = Math.min(listeningPorts.last, firstOfConnections() - 1);
  const found: number[] = [];
  const span = last - first + 1;
  const start = span > 0 ? randomInt(span) : 0;
  for (let i = 0; i < span && found.length < count; i += 1) {
    const port = first + ((start + i) % span);
    if (!except.includes(port) && (await listenError(port)) === null) found.push(port);
  }
  return found.length === count ? found : findFreePorts(count, except);
}

/** See ip(7). */
function firstOfConnections(): number {
  const range = readOr('/proc/sys/net/ipv4/ip_local_port_range', '');
  return Number.parseInt(range, 10) || listeningPorts.last + 1;
}

/**
 * Distinct free ports; another program may still take one before it is used.
 * @param except ports that are free but reserved
 */
export async function findFreePorts(
  count: number,
  except: readonly number[] = [],
): Promise<number[]> {
  const servers = await Promise.all(
    Array.from({ length: count + except.length }, async () => {
      const server = createServer();
      await new Promise<void>((resolve, reject) => {
        server.once('error', reject);
        server.listen({ port: 0, host: loopback }, resolve);
      });
      return server;
    }),
  );
  const ports = servers.map((server) => {
    const address = server.address();
    if (address === null || typeof address === 'string')
      throw new Error('the system assigned no port');
    return address.port;
  });
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports.filter((port) => !except.includes(port)).slice(0, count);
}

/** "process 123 (postgres)" for the listener of a TCP port; null when it cannot be determined. */
function holderOfPort(port: number): string | null {
  const inodes = new Set(['tcp', 'tcp6'].flatMap((table) => listenersOf(table, port)));
  if (inodes.size === 0) return null;
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    if (openSockets(pid).some((inode) => inodes.has(inode))) {
      return `process ${pid} (${commandOf(pid)})`;
    }
  }
  return null;
}

/** The command line, shortened for a message; its arguments are separated by NUL. */
function commandOf(pid: string): string {
  const command = readOr(`/proc/${pid}/cmdline`, '').replaceAll('\0', ' ').trim();
  return command.length > 80 ? `${command.slice(0, 79)}…` : command;
}

/**
 * Inodes of sockets that listen on the port: fields 2, 4, 10 of proc(5) net/tcp; state 0A is
 * listening.
 */
function listenersOf(table: string, port: number): string[] {
  const wanted = port.toString(16).toUpperCase().padStart(4, '0');
  return readOr(`/proc/net/${table}`, '')
    .split('\n')
    .slice(1)
    .map((line) => line.trim().split(/\s+/))
    .filter((fields) => fields[1]?.endsWith(`:${wanted}`) && fields[3] === '0A')
    .map((fields) => fields[9] ?? '');
}

function openSockets(pid: string): string[] {
  try {
    return readdirSync(`/proc/${pid}/fd`).map((fd) => {
      const target = readlinkOr(`/proc/${pid}/fd/${fd}`);
      return /^socket:\[(\d+)\]$/.exec(target)?.[1] ?? '';
    });
  } catch {
    return []; // Another user's process.
  }
}

function readlinkOr(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}

function readOr(path: string, fallback: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return fallback;
  }
}
