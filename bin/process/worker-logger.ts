// One log for a worker's whole process: the service's, Temporal's TypeScript, its core and
// workflows.
import { DefaultLogger, Runtime } from '@temporalio/worker';
import type { Logger } from 'pino';
import { openProcessLog } from './logger.ts';

const levels = {
  TRACE: 'trace',
  DEBUG: 'debug',
  INFO: 'info',
  WARN: 'warn',
  ERROR: 'error',
} as const;

/** Opens the process's log. Ids and numbers only: no text, audio or keys. */
export function installLogger(name: string): Logger {
  const logger = openProcessLog(name);
  Runtime.install({
    logger: new DefaultLogger('WARN', ({ level, message, meta }) => {
      logger[levels[level]]({ ...meta }, message);
    }),
    // Without this the core writes coloured text between the lines.
    telemetryOptions: { logging: { filter: { core: 'WARN', other: 'ERROR' }, forward: {} } },
    // Signals reach the workers, which drain; the inference processes ignore them.
    shutdownSignals: ['SIGINT', 'SIGTERM'],
  });
  return logger;
}
