// The cluster: servers, proxy and the service's roles, each on a machine of its own.
import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { Client, Connection } from '@temporalio/client';
import { readConfig } from '../../bin/settings/read-config.ts';
import { proxySettings, storageOf, storageSettings } from '../../bin/settings/storage-config.ts';
import { temporalOf, temporalSettings } from '../../bin/settings/temporal-config.ts';
import { clientConnectionOptions } from '../../bin/process/temporal-connection.ts';
import type { Part, PartEvents } from '../../bin/stack/part.ts';
import { repositoryRoot } from '../../bin/settings/stack-settings.ts';
import { openDatabase } from '../../db/database.ts';
import { openObjectStore } from '../../db/objects/object-store.ts';
import type { Checked } from '../faults/invariants.ts';
import { makeCertificates } from '../support/certificates.ts';
import type { Cleanup } from '../support/cleanup.ts';
import { callSvcIn, type Ended } from '../support/svc.ts';
import { limitCpu, type CpuLimit } from './cpu-limit.ts';
import { createNetwork, cutPower, hostOf, machineNames, type Machines } from './network.ts';
import { startProxy } from './proxy.ts';
import { createRolePart, roleNames, type RoleName } from './roles.ts';
import { apiPort, ownerUrl, serverVariables, startServers } from './servers.ts';

/** Of a core, for each worker. */
export const workerCores = 0.5;

const apis: readonly RoleName[] = ['api-a', 'api-b'];

export interface Cluster extends Omit<Checked, 'account'> {
  /** Of the proxy, over TLS. */
  readonly base: string;
  readonly machines: Machines;
  /** Address of one API, past the proxy. */
  apiBase(name: RoleName): string;
  /** `svc` with the settings of an operator; set-up gets the owner's URL as well. */
  svc(root: string, ...args: readonly string[]): Promise<Ended>;
  /** @param root of the tree whose version runs; default: this one */
  start(name: RoleName, root?: string): Promise<void>;
  /** SIGTERM. @returns seconds until it has ended */
  stop(name: RoleName): Promise<number>;
  /** Kills whatever runs on the machine. */
  crash(name: RoleName): void;
  isReady(name: RoleName): Promise<boolean>;
  /** What a worker has computed. */
  cpuSeconds(name: RoleName): number;
}

export interface ClusterOptions {
  readonly folder: string;
  /** Names the control groups. */
  readonly run: string;
  readonly events: PartEvents;
}

/** Network, servers and proxy; no role of the service runs yet, and nothing is set up. */
export async function startCluster(t: Cleanup, options: ClusterOptions): Promise<Cluster> {
  const { folder, run, events } = options;
  mkdirSync(join(folder, 'logs'));
  const machines = createNetwork(folder);
  const certificates = makeCertificates(t, machineNames.map(hostOf));
  setDefaultCACertificates([...getCACertificates('default'), certificates.authority]);
  const secret = (): string => randomBytes(16).toString('hex');
  const passwords = { owner: secret(), service: secret(), s3: secret() };
  const serversOptions = { folder, machines, certificates, events, passwords };
  const servers = await startServers(serversOptions);
  t.teardown(() => Promise.all(servers.map((part) => part.stop())));
  const variables = {
    ...serverVariables(serversOptions),
    SVC_SECRETS_KEY: randomBytes(32).toString('base64'),
  };
  const hosts = apis.map((name) => `${machines[name].host}:${apiPort}`);
  await startProxy(t, { folder, machine: machines.proxy, certificates, events, apis: hosts });
  const limits = new Map<RoleName, CpuLimit>(
    (['worker-a', 'worker-b'] as const).map((name) => [name, limitCpu(run, name, workerCores)]),
  );
  const parts = new Map<RoleName, Part>();
  t.teardown(() => Promise.all([...parts.values()].map((part) => part.stop())));
  const checked = openChecked(t, variables);
  return {
    ...(await checked),
    base: `https://${machines.proxy.host}`,
    machines,
    apiBase: (name) => `http://${machines[name].address}:${apiPort}`,
    svc: (root, ...args) => {
      const owner = args[0] === 'setup' ? { DATABASE_OWNER_URL: ownerUrl(serversOptions) } : {};
      return callSvcIn(root, { ...variables, ...owner }, ...args);
    },
    async start(name, root = repositoryRoot) {
      const limit = limits.get(name);
      const part = createRolePart(name, { folder, machines, variables, root, events, limit });
      parts.set(name, part);
      await part.start();
    },
    async stop(name) {
      const began = performance.now();
      await parts.get(name)?.stop();
      parts.delete(name);
      return (performance.now() - began) / 1_000;
    },
    crash(name) {
      parts.get(name)?.kill();
      parts.delete(name);
      cutPower(machines[name]);
    },
    async isReady(name) {
      const url = `http://${machines[name].address}:9464/readyz`;
      const answer = await fetch(url, { signal: AbortSignal.timeout(8_000) }).catch(() => null);
      return answer?.ok ?? false;
    },
    cpuSeconds: (name) => limits.get(name)?.usedSeconds() ?? 0,
  };
}

/** What the checks read: rows, objects, workflows. Nothing connects before it is used. */
async function openChecked(
  t: Cleanup,
  variables: Readonly<Record<string, string>>,
): Promise<Omit<Checked, 'account'>> {
  const settings = { ...storageSettings.shape, ...proxySettings.shape, ...temporalSettings.shape };
  const config = readConfig({ shape: settings, rules: [] }, variables);
  const access = temporalOf(config);
  const connection = await Connection.connect(clientConnectionOptions(access));
  const client = new Client({ connection, namespace: access.namespace });
  const db = openDatabase(variables.DATABASE_URL!, { maxConnections: 4 });
  const objects = openObjectStore(storageOf(config));
  t.teardown(async () => {
    await Promise.all([connection.close(), db.destroy()]);
    objects.close();
  });
  return { client, db, objects, taskQueue: 'svc' };
}

/** Every role, of one version. */
export async function startRoles(cluster: Cluster, root: string): Promise<void> {
  await Promise.all(roleNames.map((name) => cluster.start(name, root)));
}
