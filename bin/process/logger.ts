// The log of a process: one JSON object per line, also for libraries.
import { format } from 'node:util';
import { pino, type DestinationStream, type Logger } from 'pino';
import { describeError } from './describe-error.ts';

/** Serializers for both names that libraries use for an error. */
const serializers = { err: describeError, error: describeError };

/** A logger of ids, numbers and errors. @param name of the process */
export function createLogger(name: string, level: string, to?: DestinationStream): Logger {
  const options = { name, level, serializers };
  return to ? pino(options, to) : pino(options);
}

const consoleLevels = {
  debug: 'debug',
  log: 'info',
  info: 'info',
  warn: 'warn',
  error: 'error',
} as const;

/**
 * The logger of this process, on standard output. What libraries write to the console, Node's
 * warnings and the error that ends the process come to it as well.
 */
export function openProcessLog(name: string): Logger {
  const logger = createLogger(name, 'info');
  for (const [method, level] of Object.entries(consoleLevels)) {
    const write = (...args: unknown[]): void => logger[level](format(...args));
    Object.assign(console, { [method]: write });
  }
  process.removeAllListeners('warning');
  process.on('warning', (err) => logger.warn({ err }, 'warning'));
  process.on('uncaughtException', (err) => {
    logger.fatal({ err }, 'uncaught error: the process exits');
    process.exit(1);
  });
  return logger;
}
