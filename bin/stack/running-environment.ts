// What a command that is started beside the stack knows of it.
import type { Environment } from '../settings/read-config.ts';
import { isRunning } from './process-identity.ts';
import { readRecord } from './stack-record.ts';

/** The settings of the running stack of this data directory, overridden by the environment. */
export function environmentOf(dataDirectory: string, env: Environment): Record<string, string> {
  const record = readRecord(dataDirectory);
  const ofStack = record !== null && isRunning(record.stack) ? record.environment : {};
  // A value and its file contradict one another.
  const kept = Object.entries(ofStack).filter(([name]) => !env[`${name}_FILE`]);
  const overrides = Object.entries(env).flatMap(([name, value]) => (value ? [[name, value]] : []));
  return Object.fromEntries([...kept, ...overrides]) as Record<string, string>;
}
