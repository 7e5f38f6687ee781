// JSON lines by pino, also for what Temporal's own code and workflows log.
import { DefaultLogger, Runtime } from '@temporalio/worker';
import { pino, type Logger } from 'pino';

const levels = {
  TRACE: 'trace',
  DEBUG: 'debug',
  INFO: 'info',
  WARN: 'warn',
  ERROR: 'error',
} as const;

/** Installs the logger for this process. Ids and numbers only: no text, audio or keys. */
export function installLogger(level: string): Logger {
  const logger = pino({ name: 'batch-worker', level });
  Runtime.install({
    logger: new DefaultLogger('WARN', ({ level, message, meta }) => {
      logger[levels[level]]({ ...meta }, message);
    }),
    // Signals reach the workers, which drain; the inference processes ignore them.
    shutdownSignals: ['SIGINT', 'SIGTERM'],
  });
  return logger;
}
