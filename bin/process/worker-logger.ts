// One log for a worker's whole process: the service's, Temporal's TypeScript, its core and
// workflows.
import { ApplicationFailure, type LogLevel, type LogMetadata } from '@temporalio/common';
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

/** Temporal's code for a workflow task of more than five seconds. */
const longTask = '[TMPRL1104]';
/** Its task is as long as the step that opens a small upload within it. */
const opensWithinTask = 'analyzeRecording';

/**
 * The level of a line of Temporal's SDK: waiting for a place on a busy worker is no failure, nor is
 * a task that waits for a step within it, of which there would be a line every few seconds.
 */
export function levelOf(
  level: LogLevel,
  message: string,
  meta: LogMetadata | undefined,
): (typeof levels)[LogLevel] {
  const error: unknown = meta?.error;
  const waits = error instanceof ApplicationFailure && error.type === 'no_place';
  const opens = message.startsWith(longTask) && meta?.workflowType === opensWithinTask;
  return waits || opens ? 'debug' : levels[level];
}

/** Opens the process's log. Ids and numbers only: no text, audio or keys. */
export function installLogger(name: string): Logger {
  const logger = openProcessLog(name);
  Runtime.install({
    logger: new DefaultLogger('WARN', ({ level, message, meta }) => {
      logger[levelOf(level, message, meta)]({ ...meta }, message);
    }),
    // Without this the core writes coloured text between the lines.
    telemetryOptions: { logging: { filter: { core: 'WARN', other: 'ERROR' }, forward: {} } },
    // Temporal would take the first signal alone, and the next of the same Ctrl-C end the process.
    shutdownSignals: [],
  });
  return logger;
}
