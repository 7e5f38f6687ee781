// The record of the processes that a stack started, and the end of those that a killed stack left
// running.
import { mkdirSync, readFileSync, readlinkSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
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
  try {
    return parsed(readFileSync(recordPath(dataDirectory), 'utf8'));
  } catch {
    return null;
  }
}

/** null for a damaged record. */
function parsed(text: string): StackRecord | null {
  try {
    return recordSchema.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

/** Replaces the record of this process's stack. */
export function writeRecord(
  dataDirectory: string,
  { parts, environment }: Omit<StackRecord, 'stack'>,
): void {
  const record = { stack: thisProcess(), parts, environment };
  writePrivateFile(recordPath(dataDirectory), JSON.stringify(record));
}

function thisProcess(): ProcessIdentity {
  const identity = identify(process.pid);
  if (identity === null) throw new Error('this process cannot see its own start time');
  return identity;
}

/** Removes the record after an orderly stop. */
export function removeRecord(dataDirectory: string): void {
  rmSync(recordPath(dataDirectory), { force: true });
}

/**
 * Makes the data directory that of this process's stack, before anything is written there.
 * @returns the names of the parts of a killed stack that were stopped
 * @throws AlreadyRunningError when another stack runs on it, or is being started
 */
export async function takeDataDirectory(dataDirectory: string): Promise<readonly string[]> {
  mkdirSync(dataDirectory, { recursive: true, mode: 0o700 });
  const stopped: string[] = [];
  do stopped.push(...(await stopOrphans(dataDirectory)));
  while (!(await alone(dataDirectory, () => writeFirstRecord(dataDirectory))));
  return stopped;
}

/** @returns whether there was none */
function writeFirstRecord(dataDirectory: string): boolean {
  if (readIfThere(recordPath(dataDirectory)) !== null) return false;
  writeRecord(dataDirectory, { parts: [], environment: {} });
  return true;
}

const lockPauseMs = 20;

/** Runs while no other start does, by a link that names its process and replaces nothing. */
async function alone<T>(dataDirectory: string, run: () => T): Promise<T> {
  const lock = `${recordPath(dataDirectory)}.lock`;
  while (!unless('EEXIST', () => symlinkSync(JSON.stringify(thisProcess()), lock))) {
    if (isLeft(lock)) rmSync(lock, { force: true });
    else await sleep(lockPauseMs);
  }
  try {
    return run();
  } finally {
    rmSync(lock);
  }
}

/** Of a process that was killed within the moment. */
function isLeft(lock: string): boolean {
  let holder = '';
  const isThere = unless('ENOENT', () => {
    holder = readlinkSync(lock);
  });
  return isThere && !isRunning(identitySchema.parse(JSON.parse(holder)));
}

/** @returns false where the system answers with that error @throws any other */
function unless(code: string, call: () => void): boolean {
  try {
    call();
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === code) return false;
    throw error;
  }
}

/**
 * Stops the processes that an earlier stack left running when it was killed.
 * @returns the names of the parts that were stopped
 * @throws AlreadyRunningError when the earlier stack itself still runs
 */
export async function stopOrphans(dataDirectory: string): Promise<readonly string[]> {
  const text = readIfThere(recordPath(dataDirectory));
  if (text === null) return [];
  const record = parsed(text);
  if (record !== null && isRunning(record.stack))
    throw new AlreadyRunningError(record.stack, dataDirectory);
  const orphans = (record?.parts ?? []).filter((part) => isRunning(part.process));
  await Promise.all(orphans.map((part) => stopOrphan(part)));
  await alone(dataDirectory, () => {
    // Another start may have stopped them too, and have written its own.
    if (readIfThere(recordPath(dataDirectory)) === text) removeRecord(dataDirectory);
  });
  return orphans.map((part) => part.name);
}

function readIfThere(path: string): string | null {
  let text: string | null = null;
  unless('ENOENT', () => {
    text = readFileSync(path, 'utf8');
  });
  return text;
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
