// Machines of a cluster: network namespaces with an address each on one bridge, all of them inside
// the network namespace of this process, so that nothing of the real machine's network changes.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Machine {
  /** Of its namespace and its cable; at most 15 characters. */
  readonly name: string;
  readonly address: string;
  /** Its name in the hosts file, which certificates are made for. */
  readonly host: string;
}

export const machineNames = [
  ...['database', 'storage', 'temporal', 'proxy', 'api-a', 'api-b'],
  ...['worker-a', 'worker-b', 'stream'],
] as const;
export type MachineName = (typeof machineNames)[number];
export type Machines = Readonly<Record<MachineName, Machine>>;

export const network = '10.77.0.0/24';
const ownAddress = '10.77.0.1';
const domain = 'cluster.internal';
/** No network card has it: what is sent there arrives nowhere. */
const nowhere = '02:00:00:00:00:00';

/** A name for each machine, for certificates and the hosts file. */
export const hostOf = (name: MachineName): string => `${name}.${domain}`;

/** Builds the network. @param folder for the hosts file, which covers the one of this machine */
export function createNetwork(folder: string): Machines {
  run('mount', '-t', 'tmpfs', 'none', '/run/netns');
  ip('link', 'set', 'lo', 'up');
  ip('link', 'add', 'lan', 'type', 'bridge');
  ip('addr', 'add', `${ownAddress}/24`, 'dev', 'lan');
  ip('link', 'set', 'lan', 'up');
  const machines = machineNames.map((name, i): [MachineName, Machine] => {
    const address = `10.77.0.${10 + i}`;
    ip('netns', 'add', name);
    ip('link', 'add', name, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', name);
    ip('link', 'set', name, 'master', 'lan', 'up');
    ip('-n', name, 'addr', 'add', `${address}/24`, 'dev', 'eth0');
    for (const device of ['lo', 'eth0']) ip('-n', name, 'link', 'set', device, 'up');
    return [name, { name, address, host: hostOf(name) }];
  });
  const hosts = machines.map(([, { address, host }]) => `${address} ${host}\n`);
  const path = join(folder, 'hosts');
  writeFileSync(path, `127.0.0.1 localhost\n${hosts.join('')}`);
  run('mount', '--bind', path, '/etc/hosts');
  return Object.fromEntries(machines) as unknown as Machines;
}

/** The command that starts a program on a machine. */
export function commandOn({ name }: Machine, program: readonly string[]): [string, ...string[]] {
  return ['ip', 'netns', 'exec', name, ...program];
}

/** Pulls the network cable: its end at the switch goes down. */
export function unplug({ name }: Machine): void {
  ip('link', 'set', name, 'down');
}

export function plugIn({ name }: Machine): void {
  ip('link', 'set', name, 'up');
}

/** From here on nothing that one of them sends reaches the other, and no one is told. */
export function partition(a: Machine, b: Machine): void {
  for (const [from, to] of [[a, b] as const, [b, a] as const]) {
    const entry = [to.address, 'lladdr', nowhere, 'dev', 'eth0', 'nud', 'permanent'];
    ip('-n', from.name, 'neigh', 'replace', ...entry);
  }
}

export function heal(a: Machine, b: Machine): void {
  for (const [from, to] of [[a, b] as const, [b, a] as const]) {
    ip('-n', from.name, 'neigh', 'del', to.address, 'dev', 'eth0');
  }
}

/** Kills every process of a machine at once, as a power cut does. */
export function cutPower({ name }: Machine): void {
  const pids = ip('netns', 'pids', name).split('\n').filter(Boolean).map(Number);
  for (const pid of pids) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It ended with its parent.
    }
  }
}

function ip(...args: readonly string[]): string {
  return run('ip', ...args);
}

function run(program: string, ...args: readonly string[]): string {
  return execFileSync(program, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}
