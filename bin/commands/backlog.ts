// `svc backlog`: waiting tasks, their age and the pollers of each task queue.
import type { Command } from 'commander';
import { readBacklog, type QueueBacklog } from '../process/backlog.ts';
import { readConfig } from '../settings/read-config.ts';
import { queueSettings } from '../settings/service-config.ts';
import { temporalOf, temporalSettings } from '../settings/temporal-config.ts';
import { connectTemporal } from '../process/temporal-connection.ts';
import { environmentOf } from '../stack/running-environment.ts';
import { readSettings } from '../settings/stack-settings.ts';
import { printRows, type PrintOptions } from './admin/database.ts';
import { exitCodes, Unchecked } from './exit-codes.ts';

const connectTimeoutMs = 4_000;

export function addBacklogCommand(program: Command): void {
  program
    .command('backlog')
    .description(
      'show the backlog of the task queues; exit 1 when a queue with tasks has no poller, ' +
        '3 where that could not be asked',
    )
    .option('--json', 'print JSON')
    .action(async (options: PrintOptions) => {
      const queues = await askQueues().catch((cause: unknown) => {
        throw new Unchecked('the task queues could not be asked', { cause });
      });
      const rows = queues.map((queue) => ({ ...queue, ageSeconds: Math.round(queue.ageSeconds) }));
      printRows(rows, options);
      const isStuck = queues.some(({ tasks, pollers }) => tasks > 0 && pollers === 0);
      if (isStuck) process.exitCode = exitCodes.failed;
    });
}

/** Of the running stack, or of `TEMPORAL_ADDRESS`. */
async function askQueues(): Promise<readonly QueueBacklog[]> {
  const environment = environmentOf(readSettings(process.env).dataDirectory, process.env);
  if (!environment.TEMPORAL_ADDRESS && !environment.TEMPORAL_ADDRESS_FILE) {
    throw new Error('no stack is running here; start it or set TEMPORAL_ADDRESS');
  }
  const access = temporalOf(readConfig(temporalSettings, environment));
  const { SVC_TASK_QUEUE: taskQueue } = readConfig(queueSettings, environment);
  const connection = await connectTemporal(access, connectTimeoutMs);
  try {
    const { workflowService } = connection;
    return await readBacklog({ workflowService, namespace: access.namespace, taskQueue });
  } finally {
    await connection.close();
  }
}
