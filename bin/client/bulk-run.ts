// A bulk run: the recordings of a folder in batches of the service, each with a result file and a
// journal line. The batches continue without the command; a repeated run finds them again.
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { SpeechClient } from '../../clients/typescript/src/client.ts';
import { recordingFrom } from '../../clients/typescript/src/node.ts';
import type { Batch, BatchRequest, BatchResult } from '../../clients/typescript/src/schemas.ts';
import { SpeechServiceError } from '../../clients/typescript/src/service-error.ts';
import { errorRules, isErrorCode } from '../../models/contract/errors.ts';
import { BulkFolder } from './bulk-folder.ts';
import {
  groupFiles,
  nameOf,
  openBatches,
  planBulk,
  type FoundFile,
  type JournalBatch,
  type JournalEntry,
} from './bulk-plan.ts';

export interface BulkOptions {
  readonly folder: string;
  readonly out: string;
  readonly client: SpeechClient;
  readonly request: Omit<BatchRequest, 'items'>;
  /** Concurrent uploads. */
  readonly uploads: number;
  readonly signal: AbortSignal;
}

export interface BulkEvents {
  /** @param skipped number of results of an earlier run */
  planned(counts: { readonly total: number; readonly skipped: number }): void;
  progressed(progress: BulkProgress): void;
  finished(entry: JournalEntry): void;
}

export interface BulkProgress {
  /** Items that have ended on the service. */
  readonly ended: number;
  /** The same with what is done of those in progress; a fraction. */
  readonly done: number;
}

export interface BulkSummary {
  readonly done: number;
  readonly skipped: number;
  readonly failed: number;
  /** Unknown, because the run was stopped. */
  readonly left: number;
}

/** Concurrent batches: the service works on one while the next is uploaded. */
const batchesAtOnce = 4;

/** Analyses what earlier runs have not; stops waiting when the signal aborts. */
export async function runBulk(options: BulkOptions, events: BulkEvents): Promise<BulkSummary> {
  const { folder, out, request, signal } = options;
  const files = new BulkFolder(folder, out);
  const name = JSON.stringify(request);
  const found = await files.found();
  const journal = await files.journal();
  const { pending, done, rejected } = planBulk(found, journal.entries, name);
  const run: Run = { ...options, files, name, open: new Set(pending.map(nameOf)) };
  events.planned({ total: found.length, skipped: done.length });
  rejected.forEach((entry) => events.finished(entry));
  const inProgress = openBatches(journal, name, pending);
  const batches = [...inProgress, ...groupFiles(pending, inProgress, name)];
  const progress = new Map<string, BulkProgress>();
  const counts = { done: 0, failed: rejected.length };
  const report = (key: string, ofBatch: BulkProgress): void => {
    progress.set(key, ofBatch);
    const sum = (of: keyof BulkProgress): number =>
      [...progress.values()].reduce((total, each) => total + each[of], 0);
    events.progressed({ ended: sum('ended'), done: sum('done') });
  };
  // Not p-map, which takes a fixed list, while this one grows during the run.
  const lanes = Array.from({ length: batchesAtOnce }, async () => {
    for (let batch = batches.shift(); batch && !signal.aborted; batch = batches.shift()) {
      const { key } = batch;
      const { entries, again } = await runBatch(run, batch, (ofBatch) => report(key, ofBatch));
      batches.push(...groupFiles(again, [], name));
      for (const entry of entries) {
        counts[entry.outcome === 'done' ? 'done' : 'failed'] += 1;
        events.finished(entry);
      }
    }
  });
  await Promise.all(lanes).catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
  const left = found.length - counts.done - done.length - counts.failed;
  return { ...counts, skipped: done.length, left };
}

interface Run extends BulkOptions {
  readonly files: BulkFolder;
  readonly name: string;
  /** Names of the files that are still pending. */
  readonly open: ReadonlySet<string>;
}

interface BatchOutcome {
  readonly entries: readonly JournalEntry[];
  /** Files of a batch that was deleted on the service. */
  readonly again: readonly FoundFile[];
}

/** From upload to result files; it may be repeated after any interruption. */
async function runBatch(
  run: Run,
  batch: JournalBatch,
  progressed: (progress: BulkProgress) => void,
): Promise<BatchOutcome> {
  const { files, name, signal } = run;
  const { batches } = run.client;
  const created =
    batch.id === undefined ? await createBatch(run, batch) : { id: batch.id, rejected: [] };
  const { id, rejected } = created;
  // The journal then has nothing to resume for this batch.
  const close = (): Promise<void> => files.note({ ...batch, files: [] });
  if (id === null || !(await ended(run, id, progressed))) {
    await close();
    const again = id === null ? [] : batch.files.filter((file) => run.open.has(nameOf(file)));
    return { entries: rejected, again };
  }
  const byPath = new Map(batch.files.map((file) => [file.path, file]));
  const entries: JournalEntry[] = [...rejected];
  for await (const line of batches.results(id, { signal })) {
    const file = byPath.get(line.custom_id);
    if (!file || !run.open.has(nameOf(file))) continue;
    if (line.result) await files.writeResult(file.path, resultFile(line));
    const entry = entryOf(file, name, line);
    await files.note(entry);
    entries.push(entry);
  }
  await batches.remove(id, { signal });
  await close();
  return { entries, again: [] };
}

interface CreatedBatch {
  /** null when every file was rejected. */
  readonly id: string | null;
  readonly rejected: readonly JournalEntry[];
}

async function createBatch(run: Run, batch: JournalBatch): Promise<CreatedBatch> {
  // Written first, so that a run after a crash sends the same batch and finds it.
  await run.files.note(batch);
  const { items, rejected } = await uploadAll(run, batch);
  for (const entry of rejected) await run.files.note(entry);
  if (items.length === 0) return { id: null, rejected };
  const { request, signal } = run;
  const call = { idempotencyKey: batch.key, signal };
  const { id } = await run.client.batches.create({ ...request, items }, call);
  await run.files.note({ ...batch, id });
  return { id, rejected };
}

/** Waits for the end of the batch. @returns false when the batch was deleted */
async function ended(
  { client, signal }: Run,
  id: string,
  progressed: (progress: BulkProgress) => void,
): Promise<boolean> {
  const onProgress = ({ request_counts: counts, progress }: Batch): void => {
    const items = counts.completed + counts.failed + counts.cancelled;
    progressed({ ended: items, done: Math.max(items, progress * counts.total) });
  };
  try {
    await client.batches.wait(id, { onProgress, signal });
    return true;
  } catch (error) {
    if (error instanceof SpeechServiceError && error.code === 'not_found') return false;
    throw error;
  }
}

/** Result, channels and metrics as the service returns them. */
function resultFile({ result, channels, metrics }: BatchResult): object {
  return { ...result, ...(channels && { channels }), metrics };
}

interface Uploaded {
  readonly items: BatchRequest['items'];
  readonly rejected: readonly JournalEntry[];
}

async function uploadAll(run: Run, { files }: JournalBatch): Promise<Uploaded> {
  const ids = new Map<string, string>();
  const rejected: JournalEntry[] = [];
  const queue = [...files];
  const upload = async (): Promise<void> => {
    for (let file = queue.shift(); file; file = queue.shift()) {
      run.signal.throwIfAborted();
      try {
        const recording = await recordingFrom(join(run.folder, file.path));
        const call = { idempotencyKey: uploadKey(file), signal: run.signal };
        ids.set(file.path, (await run.client.files.upload(recording, call)).id);
      } catch (error) {
        if (run.signal.aborted || !isRejection(error)) throw error;
        const { code, message } = error;
        const final = true;
        rejected.push({ ...file, request: run.name, outcome: 'failed', code, message, final });
      }
    }
  };
  await Promise.all(Array.from({ length: run.uploads }, upload));
  const items = files.flatMap(({ path }) => {
    const id = ids.get(path);
    return id === undefined ? [] : [{ custom_id: path, file_id: id }];
  });
  return { items, rejected };
}

function isRejection(error: unknown): error is SpeechServiceError {
  return error instanceof SpeechServiceError && error.isRejection;
}

/**
 * Equal recordings under different names are different files, because each is deleted with its
 * batch.
 */
function uploadKey({ path, sha256 }: FoundFile): string {
  return `svc-bulk-${createHash('sha256').update(`${sha256} ${path}`).digest('hex')}`;
}

function entryOf(file: FoundFile, request: string, { status, error }: BatchResult): JournalEntry {
  if (status === 'completed') return { ...file, request, outcome: 'done' };
  const { code = 'cancelled', message = 'The batch was cancelled.' } = error ?? {};
  const own = isErrorCode(code) && errorRules[code].status < 500 && errorRules[code].status !== 402;
  return { ...file, request, outcome: 'failed', code, message, final: own };
}
