// `svc backlog`: waiting tasks, their age and the pollers of each task queue.
import type { Command } from 'commander';
import { readBacklog } from '../process/backlog.ts';
import { readConfig } from '../process/read-config.ts';
import { queueSettings } from '../process/service-config.ts';
import { temporalOf, temporalSettings } from '../process/temporal-config.ts';
import { connectTemporal } from '../process/temporal-connection.ts';
import { environmentOf } from '../stack/running-environment.ts';
import { readSettings } from '../stack/settings.ts';
import { printRows, type PrintOptions } from './admin/database.ts';

const connectTimeoutMs = 4_000;

export function addBacklogCommand(program: Command): void {
  program
    .command('backlog')
    .description(
      'show the backlog of the task queues; exit 1 when a queue with tasks has no poller',
    )
    .option('--json', 'print JSON')
    .action(async (options: PrintOptions) => {
      const environment = environmentOf(readSettings(process.env).dataDirectory, process.env);
      const access = temporalOf(readConfig(temporalSettings, environment));
      const { SVC_TASK_QUEUE: taskQueue } = readConfig(queueSettings, environment);
      const connection = await connectTemporal(access, connectTimeoutMs);
      try {
        const { workflowService } = connection;
        const { namespace } = access;
        const queues = await readBacklog({ workflowService, namespace, taskQueue });
        const rows = queues.map((queue) => ({
          ...queue,
          ageSeconds: Math.round(queue.ageSeconds),
        }));
        printRows(rows, options);
        if (queues.some(({ tasks, pollers }) => tasks > 0 && pollers === 0)) process.exitCode = 1;
      } finally {
        await connection.close();
      }
    });
}
