// A bulk run: the recordings of a folder in batches of the service, each with a result file and a
// journal line. The batches continue without the command; a repeated run finds them again.
import type { Batch, BatchRequest } from '../../clients/typescript/src/schemas.ts';
import { SpeechServiceError, unreadableCode } from '../../clients/typescript/src/service-error.ts';
import { collect, type Collected, type CollectingRun } from './bulk-collect.ts';
import { BulkFolder, type UnreadableFile } from './bulk-folder.ts';
import {
  customIdOf,
  groupFiles,
  nameOf,
  openBatches,
  planBulk,
  type FileOutcome,
  type FoundFile,
  type JournalBatch,
  type JournalEntry,
} from './bulk-plan.ts';
import { uploadFiles, type UploadOptions } from './bulk-upload.ts';

export interface BulkOptions extends UploadOptions {
  readonly out: string;
  readonly request: Omit<BatchRequest, 'items'>;
  /** Whether a file is being written, and is left for a later run; by its path in the folder. */
  readonly isMoving?: (path: string) => boolean;
}

export interface BulkEvents {
  /** @param skipped number of results of an earlier run */
  planned(counts: { readonly total: number; readonly skipped: number }): void;
  progressed(progress: BulkProgress): void;
  finished(outcome: FileOutcome): void;
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
  /** Unknown, because the run was stopped or has ended with `failure`. */
  readonly left: number;
  /** Paths of other files, which no container's ending says to be recordings. */
  readonly leftOut: readonly string[];
  /** What no recording is at fault for; null for a run that came through or was stopped. */
  readonly failure: unknown;
}

/** Concurrent batches: the service works on one while the next is uploaded. */
const batchesAtOnce = 4;

/** Analyses what earlier runs have not; stops waiting when the signal aborts. */
export async function runBulk(options: BulkOptions, events: BulkEvents): Promise<BulkSummary> {
  const { folder, out, request, isMoving } = options;
  const stop = new AbortController();
  const signal = AbortSignal.any([options.signal, stop.signal]);
  const files = new BulkFolder(folder, out, isMoving);
  const name = JSON.stringify(request);
  const { files: found, unreadable, leftOut } = await files.found();
  const journal = await files.journal();
  const { pending, done, rejected } = planBulk(found, journal.entries, name);
  const open = new Set(pending.map(nameOf));
  const listed = found.length + unreadable.length;
  events.planned({ total: listed, skipped: done.length });
  const failed = [...unreadable.map((file) => unreadableOutcome(file, name)), ...rejected];
  failed.forEach((outcome) => events.finished(outcome));
  const inProgress = openBatches(journal, name, pending);
  const batches = [...inProgress, ...groupFiles(pending, inProgress, name)];
  const progress = new Map<string, BulkProgress>();
  const counts = { done: 0, failed: failed.length };
  const settle = (entry: JournalEntry): void => {
    open.delete(nameOf(entry));
    counts[entry.outcome] += 1;
    events.finished(entry);
  };
  const run: Run = { ...options, signal, files, name, open, settle };
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
      const outcome = await runBatch(run, batch, (ofBatch) => report(key, ofBatch));
      batches.push(...groupFiles(outcome.again, [], name));
      if (outcome.failure) throw outcome.failure;
    }
  });
  let failure: unknown = null;
  const ending = lanes.map((lane) =>
    lane.catch((error: unknown) => {
      if (!signal.aborted) failure = error;
      // The other batches go on on the service; the next run collects them.
      stop.abort();
    }),
  );
  await Promise.all(ending);
  const left = listed - counts.done - done.length - counts.failed;
  return { ...counts, skipped: done.length, left, leftOut, failure };
}

function unreadableOutcome({ path, message }: UnreadableFile, request: string): FileOutcome {
  return { path, request, outcome: 'failed', code: unreadableCode, message, final: false };
}

type Run = BulkOptions & CollectingRun;

interface BatchOutcome {
  /** Files that another batch is to analyse. */
  readonly again: readonly FoundFile[];
  /** Why the account does not allow more; null when it did. */
  readonly failure: Error | null;
}

/** From upload to result files; it may be repeated after any interruption. */
async function runBatch(
  run: Run,
  planned: JournalBatch,
  progressed: (progress: BulkProgress) => void,
): Promise<BatchOutcome> {
  const isNew = planned.id === undefined;
  const batch = isNew ? await createBatch(run, planned) : planned;
  const collected = await finish(run, batch, progressed);
  // The journal then has nothing to resume for this batch.
  await run.files.note({ ...batch, files: [] });
  if (!collected) return { again: await notElsewhere(run, batch.files), failure: null };
  const { unpaid, failure } = collected;
  // The account may have changed since an earlier run sent them.
  return isNew ? { again: [], failure } : { again: unpaid, failure: null };
}

/** @returns the batch as it was sent; without an id when every file was rejected */
async function createBatch(run: Run, planned: JournalBatch): Promise<JournalBatch> {
  const { files, request, signal, name } = run;
  // Written first, so that a run after a crash sends the same batch and finds it.
  await files.note(planned);
  const { sent, rejected } = await uploadFiles(run, planned.files, name);
  for (const entry of rejected) {
    await files.note(entry);
    run.settle(entry);
  }
  const [batch] = groupFiles(
    sent.map(({ file }) => file),
    [],
    name,
  );
  if (!batch) return { ...planned, files: [] };
  if (batch.key !== planned.key) {
    // The key covers the files that are in the batch, and the others are in no batch.
    await files.note({ ...planned, files: [] });
    await files.note(batch);
  }
  const items = sent.map(({ file, id: fileId }) => {
    return { custom_id: customIdOf(file.path), file_id: fileId };
  });
  const call = { idempotencyKey: batch.key, signal };
  const { id } = await run.client.batches.create({ ...request, items }, call);
  const created = { ...batch, id };
  await files.note(created);
  return created;
}

/** Waits for a batch, takes its results and deletes it. @returns null when there is none */
async function finish(
  run: Run,
  { id, files }: JournalBatch,
  progressed: (progress: BulkProgress) => void,
): Promise<Collected | null> {
  if (id === undefined) return null;
  const { client, signal, open } = run;
  // Of an earlier run, which count already.
  const settled = files.filter((file) => !open.has(nameOf(file))).length;
  const onProgress = ({ request_counts: counts, progress }: Batch): void => {
    const items = counts.completed + counts.failed + counts.cancelled;
    const own = (ofBatch: number): number => Math.max(0, ofBatch - settled);
    progressed({ ended: own(items), done: own(Math.max(items, progress * counts.total)) });
  };
  try {
    await client.batches.wait(id, { onProgress, signal });
    const collected = await collect(run, files, client.batches.results(id, { signal }));
    await client.batches.remove(id, { signal });
    return collected;
  } catch (error) {
    if (error instanceof SpeechServiceError && error.code === 'not_found') return null;
    throw error;
  }
}

/** What the journal says of a batch that is gone: another run has its results, or nobody. */
async function notElsewhere(run: Run, ofBatch: readonly FoundFile[]) {
  const { files, name, open, settle } = run;
  const own = ofBatch.filter((file) => open.has(nameOf(file)));
  const { pending, done, rejected } = planBulk(own, (await files.journal()).entries, name);
  for (const file of done) settle({ ...file, request: name, outcome: 'done' });
  rejected.forEach(settle);
  return pending;
}
