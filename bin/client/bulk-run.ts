// A bulk run: recordings of a folder side by side, each with its result file and journal line.
import { join } from 'node:path';
import {
  AnalysisFailed,
  analyzeFile,
  type AnalysisRequest,
  type ServiceAddress,
} from './analysis-client.ts';
import {
  appendJournal,
  findRecordings,
  hashFile,
  hasResult,
  readJournal,
  writeResult,
} from './bulk-folder.ts';
import { planBulk, requestName, type FoundFile, type JournalEntry } from './bulk-plan.ts';

export interface BulkOptions {
  readonly folder: string;
  readonly out: string;
  readonly address: ServiceAddress;
  readonly request: AnalysisRequest;
  readonly concurrency: number;
  readonly signal: AbortSignal;
}

export interface BulkEvents {
  /** @param skipped results of an earlier run */
  planned(counts: { readonly total: number; readonly skipped: number }): void;
  finished(entry: JournalEntry): void;
}

export interface BulkSummary {
  readonly done: number;
  readonly skipped: number;
  readonly failed: number;
  /** Not begun: the run was stopped. */
  readonly left: number;
}

/** Analyses what an earlier run has not; stops taking more when the signal says so. */
export async function runBulk(options: BulkOptions, events: BulkEvents): Promise<BulkSummary> {
  const { folder, out, request, concurrency, signal } = options;
  const paths = await findRecordings(folder);
  const files: FoundFile[] = [];
  for (const path of paths) files.push(await hashFile(folder, path));
  const name = requestName(request);
  // A journal line without its result file is an accident: it is analysed again.
  const journal = (await readJournal(out)).filter(
    (entry) => entry.outcome === 'failed' || hasResult(out, entry.path),
  );
  const { todo, done, refused } = planBulk(files, journal, name);
  events.planned({ total: files.length, skipped: done.length });
  refused.forEach((entry) => events.finished(entry));
  const queue = [...todo];
  let finished = 0;
  let failed = refused.length;
  const work = async (): Promise<void> => {
    for (let file = queue.shift(); file && !signal.aborted; file = queue.shift()) {
      const entry = await analyzeOne(options, file, name);
      if (entry === null) {
        queue.unshift(file);
        return;
      }
      await appendJournal(out, entry);
      if (entry.outcome === 'done') finished += 1;
      else failed += 1;
      events.finished(entry);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  return {
    done: finished,
    skipped: done.length,
    failed,
    left: files.length - finished - done.length - failed,
  };
}

/** null: the run was stopped in the middle of it. */
async function analyzeOne(
  { folder, out, address, request, signal }: BulkOptions,
  file: FoundFile,
  name: string,
): Promise<JournalEntry | null> {
  try {
    const result = await analyzeFile(address, join(folder, file.path), request, signal);
    await writeResult(out, file.path, result);
    return { ...file, request: name, outcome: 'done' };
  } catch (error) {
    if (signal.aborted) return null;
    const isRefusal = error instanceof AnalysisFailed;
    const message = error instanceof Error ? error.message : String(error);
    const code = isRefusal ? error.code : 'unreadable_file';
    return {
      ...file,
      request: name,
      outcome: 'failed',
      code,
      message,
      final: isRefusal && error.final,
    };
  }
}
