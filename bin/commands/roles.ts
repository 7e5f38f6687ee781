// `svc api`, `svc worker`, `svc stream-worker`: run a process of the service.
import type { Command } from 'commander';
import { readApiConfig } from '../settings/api-config.ts';
import type { Environment } from '../settings/read-config.ts';
import { readStreamWorkerConfig, readWorkerConfig } from '../settings/worker-config.ts';

interface Role {
  readonly name: string;
  readonly description: string;
  /** @throws InvalidSettings */
  readonly read: (environment: Environment) => unknown;
  readonly run: () => Promise<unknown>;
}

const roles: readonly Role[] = [
  {
    name: 'api',
    description: 'run an API process',
    read: readApiConfig,
    run: () => import('../api.ts'),
  },
  {
    name: 'worker',
    description: 'run a batch worker: workflows, decoding, inference',
    read: readWorkerConfig,
    run: () => import('../worker.ts'),
  },
  {
    name: 'stream-worker',
    description: 'run a stream worker: sockets and their inference',
    read: readStreamWorkerConfig,
    run: () => import('../stream-worker.ts'),
  },
];

export function addRoleCommands(program: Command): void {
  for (const { name, description, read, run } of roles) {
    program
      .command(name)
      .description(description)
      .action(() => {
        // Invalid settings are reported to the operator as plain text; later errors go to the
        // process log, uncaught ones included.
        read(process.env);
        void run();
      });
  }
}
