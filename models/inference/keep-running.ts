// The processes of a pool, which are started again whenever they end.
import { setTimeout as sleep } from 'node:timers/promises';
import type { InferenceProcess } from './process.ts';

/** The place of one process and its successors. */
export interface ProcessPlace {
  process: InferenceProcess;
  /** Its models are loaded. */
  ready: boolean;
}

export interface KeepRunningOptions {
  /** Starts a successor. @throws while the system has no room for another process */
  readonly start: () => InferenceProcess;
  readonly onReady: () => void;
  readonly isClosed: () => boolean;
}

const firstRestartDelayMs = 50;
const maxRestartDelayMs = 5_000;
/** So many failed starts in a row mean that no process can load its models. */
const maxFailedStarts = 3;

/** Until the pool is closed. */
export async function keepRunning(
  place: ProcessPlace,
  { start, onReady, isClosed }: KeepRunningOptions,
): Promise<void> {
  let delayMs = firstRestartDelayMs;
  while (!isClosed()) {
    const { process } = place;
    await process.ready.then(
      () => {
        place.ready = true;
        delayMs = firstRestartDelayMs;
        onReady();
      },
      () => {},
    );
    await process.exited;
    place.ready = false;
    // A start that fails is tried again: what has ended must not count as the one that is ready.
    while (place.process === process && !isClosed()) {
      await sleep(delayMs);
      delayMs = Math.min(delayMs * 2, maxRestartDelayMs);
      place.process = isClosed() ? process : (tryTo(start) ?? process);
    }
  }
}

/** @returns null when a kernel table is full, which is temporary */
function tryTo(start: () => InferenceProcess): InferenceProcess | null {
  try {
    return start();
  } catch {
    return null;
  }
}

/** Resolves when every process is ready. @throws InferenceProcessDied of one that never is */
export async function allReady(
  places: readonly ProcessPlace[],
  isClosed: () => boolean,
): Promise<void> {
  await Promise.all(places.map((place) => untilReady(place, isClosed)));
}

/** A process that died at its start says nothing about its successor. */
async function untilReady(place: ProcessPlace, isClosed: () => boolean): Promise<void> {
  for (let failed = 1; ; failed += 1) {
    const { process } = place;
    try {
      return await process.ready;
    } catch (error) {
      if (isClosed() || failed === maxFailedStarts) throw error;
    }
    while (place.process === process && !isClosed()) await sleep(firstRestartDelayMs);
  }
}
