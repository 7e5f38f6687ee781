// Keeps the record of a running stack current. It serves only to find orphans, so that a full disk
// must not end what it describes.
import { takeDataDirectory, writeRecord, type StackRecord } from './stack-record.ts';

const retryMs = 10_000;

export interface RecordKeeper {
  /** Writes the first record, of no part yet; see `takeDataDirectory`. */
  take(): Promise<readonly string[]>;
  /** Writes the record; what cannot be written is tried again, and said once. */
  write(record: Omit<StackRecord, 'stack'>): void;
  /** Whether any record was written. */
  isWritten(): boolean;
  /** Nothing is written any more. */
  stop(): void;
}

/** @param later runs something after a while */
export function createRecordKeeper(
  dataDirectory: string,
  say: (line: string) => void,
  later = (run: () => void): void => void setTimeout(run, retryMs).unref(),
): RecordKeeper {
  let newest: Omit<StackRecord, 'stack'> | null = null;
  let written = false;
  let failing = false;

  function attempt(): void {
    if (newest === null) return;
    try {
      writeRecord(dataDirectory, newest);
      if (failing) say('stack.json is written again');
      newest = null;
      written = true;
      failing = false;
    } catch (error) {
      if (!failing) say(`stack.json cannot be written, and is tried again: ${String(error)}`);
      failing = true;
      later(attempt);
    }
  }

  return {
    async take() {
      const stopped = await takeDataDirectory(dataDirectory);
      written = true;
      return stopped;
    },
    write(record) {
      const isWaiting = newest !== null;
      newest = record;
      if (!isWaiting) attempt();
    },
    isWritten: () => written,
    stop() {
      newest = null;
    },
  };
}
