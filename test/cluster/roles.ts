// The service's roles, each on its machine, with the settings of docs/deploy.md.
import { join } from 'node:path';
import { createPart, type Part, type PartEvents } from '../../bin/stack/part.ts';
import type { CpuLimit } from './cpu-limit.ts';
import { commandOn, type Machines } from './network.ts';
import { apiPort } from './servers.ts';

export const roleNames = ['api-a', 'api-b', 'worker-a', 'worker-b', 'stream'] as const;
export type RoleName = (typeof roleNames)[number];

export interface RoleOptions {
  readonly folder: string;
  readonly machines: Machines;
  /** Where the servers are. */
  readonly variables: Readonly<Record<string, string>>;
  /** Of the tree whose version runs. */
  readonly root: string;
  readonly events: PartEvents;
  readonly limit: CpuLimit | undefined;
}

const streamPort = 8081;
export const metricsPort = 9464;
/** As deploy/systemd says; the proxy looks every 2 s. */
const drainSeconds = '5';
/** As systemd waits: TimeoutStopSec of deploy/systemd. */
const stopSeconds = 40;

export function createRolePart(name: RoleName, options: RoleOptions): Part {
  const { folder, machines, variables, root, events, limit } = options;
  const role = roleOf(name);
  const program = [process.execPath, join(root, 'bin', 'svc.ts'), role];
  const [command, ...args] = commandOn(machines[name], program);
  const joined = limit ? joining(limit, [command, ...args]) : [command, ...args];
  const spec = {
    name,
    command: joined[0]!,
    args: joined.slice(1),
    env: {
      ...variables,
      SVC_METRICS_HOST: machines[name].address,
      SVC_METRICS_PORT: String(metricsPort),
      SVC_LOG_LEVEL: 'info',
      ...ownVariables(role, machines),
    },
    cwd: root,
    logPath: join(folder, 'logs', `${name}.log`),
    stopSignal: 'SIGTERM',
    stopSeconds,
    readySeconds: 300,
    async probe({ signal }: { readonly signal: AbortSignal }) {
      const url = `http://${machines[name].address}:${metricsPort}/readyz`;
      const response = await fetch(url, { signal });
      const text = await response.text();
      if (!response.ok) throw new Error(text.trim());
    },
  } as const;
  return createPart(spec, events);
}

const roleOf = (name: RoleName): string =>
  name.startsWith('api') ? 'api' : name.startsWith('worker') ? 'worker' : 'stream-worker';

function ownVariables(role: string, machines: Machines): Readonly<Record<string, string>> {
  if (role === 'api') {
    return {
      SVC_HOST: '0.0.0.0',
      SVC_PORT: String(apiPort),
      SVC_STREAM_ADDRESS: `${machines.stream.host}:${streamPort}`,
      SVC_DRAIN_SECONDS: drainSeconds,
      SVC_TRUSTED_PROXIES: `${machines.proxy.address}/32`,
    };
  }
  if (role === 'worker') return { SVC_INFERENCE_PROCESSES: '1' };
  return {
    SVC_INFERENCE_PROCESSES: '1',
    SVC_STREAM_HOST: machines.stream.address,
    SVC_STREAM_PORT: String(streamPort),
  };
}

/** A shell that joins the groups and becomes the program. */
function joining({ joins }: CpuLimit, program: readonly string[]): readonly string[] {
  const join = joins.map((path) => `echo $$ > ${path}`).join(' && ');
  return ['sh', '-c', `${join} && exec "$@"`, 'sh', ...program];
}
