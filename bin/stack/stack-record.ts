// The record of the processes that a stack started, and the end of those that a killed stack left
// running.
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import {
  identify,
  isRunning,
  signalGroup,
  signalProcess,
  waitForEnd,
  type ProcessIdentity,
} from './process-identity.ts';
import { writePrivateFile } from './secrets.ts';

const identitySchema = z.object({ pid: z.int().positive(), startTime: z.string() });
const recordSchema = z.object({
  stack: identitySchema,
  parts: z.array(
    z.object({
      name: z.string(),
      process: identitySchema,
      stopSignal: z.enum(['SIGTERM', 'SIGINT']),
    }),
  ),
  /** The addresses of the parts, for `svc doctor`. */
  environment: z.record(z.string(), z.string()),
});

export type StackRecord = z.infer<typeof recordSchema>;
export type StartedPart = StackRecord['parts'][number];

/** Another stack runs on the same data directory. */
export class AlreadyRunningError extends Error {
  override readonly name = 'AlreadyRunningError';

  constructor({ pid }: ProcessIdentity, dataDirectory: string) {
    super(
      `a stack is already running on ${dataDirectory} (process ${pid}). Stop it with Ctrl-C or ` +
        `"kill ${pid}", or start a second one with its own SVC_DATA_DIR and ports.`,
    );
  }
}

/**
 * The record in a data directory, whether or not the stack runs; null when there is none, or when
 * it is damaged.
 */
export function readRecord(dataDirectory: string): StackRecord | null {
  const path = recordPath(dataDirectory);
  if (!existsSync(path)) return null;
  try {
    return recordSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    return null;
  }
}

/** Replaces the record of this process's stack. */
export function writeRecord(
  dataDirectory: string,
  { parts, environment }: Omit<StackRecord, 'stack'>,
): void {
  const stack = identify(process.pid);
  if (stack === null) throw new Error('this process cannot see its own start time');
  writePrivateFile(recordPath(dataDirectory), JSON.stringify({ stack, parts, environment }));
}

/** Removes the record after an orderly stop. */
export function removeRecord(dataDirectory: string): void {
  rmSync(recordPath(dataDirectory), { force: true });
}

/**
 * Stops the processes that an earlier stack left running when it was killed.
 * @returns the names of the parts that were stopped
 * @throws AlreadyRunningError when the earlier stack itself still runs
 */
export async function stopOrphans(dataDirectory: string): Promise<readonly string[]> {
  const record = readRecord(dataDirectory);
  if (record === null) return [];
  if (isRunning(record.stack)) throw new AlreadyRunningError(record.stack, dataDirectory);
  const orphans = record.parts.filter((part) => isRunning(part.process));
  await Promise.all(orphans.map((part) => stopOrphan(part)));
  removeRecord(dataDirectory);
  return orphans.map((part) => part.name);
}

const stopTimeoutSeconds = 10;

async function stopOrphan({ process: identity, stopSignal }: StartedPart): Promise<void> {
  signalProcess(identity.pid, stopSignal);
  if (await waitForEnd(identity, stopTimeoutSeconds)) return;
  signalGroup(identity.pid, 'SIGKILL');
  await waitForEnd(identity, stopTimeoutSeconds);
}

function recordPath(dataDirectory: string): string {
  return join(dataDirectory, 'stack.json');
}
