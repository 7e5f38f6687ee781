// The results of a batch that has ended, as files and lines of the journal.
import type { BatchResult } from '../../clients/typescript/src/schemas.ts';
import { isFaultOfAccount, isFaultOfRecording } from './blame.ts';
import type { BulkFolder } from './bulk-folder.ts';
import { customIdOf, nameOf, type FoundFile, type JournalEntry } from './bulk-plan.ts';

export interface CollectingRun {
  readonly files: BulkFolder;
  /** Of the request, for the journal. */
  readonly name: string;
  /** Names of the files that are still pending. */
  readonly open: ReadonlySet<string>;
  /** Told of each recording that has ended, which is then no longer open. */
  readonly settle: (entry: JournalEntry) => void;
}

export interface Collected {
  /** Files that the account did not allow, which are no failures of theirs. */
  readonly unpaid: readonly FoundFile[];
  /** Why, for one of them. */
  readonly failure: Error | null;
}

/** Writes the results of a batch that has ended. @param files those of the batch */
export async function collect(
  run: CollectingRun,
  files: readonly FoundFile[],
  lines: AsyncIterable<BatchResult>,
): Promise<Collected> {
  const byCustomId = new Map(files.map((file) => [customIdOf(file.path), file]));
  const unpaid: FoundFile[] = [];
  let failure: Error | null = null;
  for await (const line of lines) {
    const file = byCustomId.get(line.custom_id);
    if (!file || !run.open.has(nameOf(file))) continue;
    if (line.error && isFaultOfAccount(line.error.code)) {
      unpaid.push(file);
      failure ??= new Error(line.error.message);
      continue;
    }
    if (line.result) await run.files.writeResult(file.path, resultFile(line));
    const entry = entryOf(file, run.name, line);
    await run.files.note(entry);
    run.settle(entry);
  }
  return { unpaid, failure };
}

/** Result, channels and metrics as the service returns them. */
function resultFile({ result, channels, metrics }: BatchResult): object {
  return { ...result, ...(channels && { channels }), metrics };
}

function entryOf(file: FoundFile, request: string, { status, error }: BatchResult): JournalEntry {
  if (status === 'completed') return { ...file, request, outcome: 'done' };
  const { code = 'cancelled', message = 'The batch was cancelled.' } = error ?? {};
  const final = isFaultOfRecording(code);
  return { ...file, request, outcome: 'failed', code, message, final };
}
