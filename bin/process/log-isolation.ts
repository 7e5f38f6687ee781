// One log line at start: the isolation of processes of untrusted code on this machine.
import type { Logger } from 'pino';
import { findSandbox, isRoot } from '../../models/sandbox/detect.ts';
import { isolationOf } from '../../models/sandbox/isolation.ts';

/**
 * A warning where the machine provides less than full isolation.
 * @param what the processes that are isolated
 * @param code the files that they must be able to read
 */
export function logIsolation(logger: Logger, what: string, code: readonly string[]): void {
  const { present, missing } = isolationOf(findSandbox(code).isolation, isRoot());
  const level = missing.length === 0 ? 'info' : 'warn';
  logger[level]({ processes: what, isolation: present, missing }, 'untrusted code is isolated');
}
