// Whether a port is free, and which process holds it if not.
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import type { PortSetting } from './settings.ts';

/** A port of the stack is in use; the message names it, its holder and the variable to set. */
export class PortTakenError extends Error {
  override readonly name = 'PortTakenError';

  constructor(use: string, { port, variable }: PortSetting) {
    const holder = holderOfPort(port);
    super(
      `port ${port} (${use}) is in use${holder === null ? '' : ` by ${holder}`}. ` +
        `Stop that program, or choose another port with ${variable}=<port>.`,
    );
  }
}

/** @throws PortTakenError */
export async function requireFreePort(use: string, setting: PortSetting): Promise<void> {
  if (!(await isFree(setting.port))) throw new PortTakenError(use, setting);
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => {
      server.close(() => resolve(true));
    });
  });
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
        server.listen({ port: 0, host: '127.0.0.1' }, resolve);
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
