// Caddy in front of the APIs, with the file of deploy/caddy.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createPart, type PartEvents } from '../../bin/stack/part.ts';
import { repositoryRoot } from '../../bin/settings/stack-settings.ts';
import type { Certificates } from '../support/certificates.ts';
import type { Cleanup } from '../support/cleanup.ts';
import { commandOn, type Machine } from './network.ts';
import { programOf } from './servers.ts';

export interface ProxyOptions {
  readonly folder: string;
  readonly machine: Machine;
  readonly certificates: Certificates;
  readonly events: PartEvents;
  /** `host:port` of each API. */
  readonly apis: readonly string[];
}

export async function startProxy(t: Cleanup, options: ProxyOptions): Promise<void> {
  const { folder, machine, certificates, events } = options;
  const { certPath, keyPath } = certificates.server;
  const file = join(repositoryRoot, 'deploy', 'caddy', 'Caddyfile');
  const home = join(folder, 'caddy');
  mkdirSync(home);
  const env = {
    HOME: home,
    XDG_DATA_HOME: home,
    XDG_CONFIG_HOME: home,
    SVC_DOMAIN: machine.host,
    SVC_TLS: `tls ${certPath} ${keyPath}`,
    SVC_APIS: options.apis.join(' '),
  };
  const program = [programOf('SVC_CADDY_BINARY'), 'run', '--config', file];
  const [command, ...args] = commandOn(machine, program);
  const part = createPart(
    {
      ...{ name: 'proxy', command, args, env, cwd: home },
      logPath: join(folder, 'logs', 'proxy.log'),
      stopSignal: 'SIGTERM',
      readySeconds: 60,
      async probe({ signal }) {
        // Redirected to https, before any API is there.
        await fetch(`http://${machine.host}/`, { signal, redirect: 'manual' });
      },
    },
    events,
  );
  await part.start();
  t.teardown(() => part.stop());
}
