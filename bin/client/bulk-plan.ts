// Which recordings of a folder are still to be analysed; results are identified by content and
// request; pure.
import { createHash } from 'node:crypto';
import { z } from 'zod';

const fileSchema = z.object({
  /** Relative to the folder, with forward slashes. */
  path: z.string(),
  sha256: z.string(),
});
export type FoundFile = Readonly<z.infer<typeof fileSchema>>;

/** A recording that has ended: a line of the journal beside the results. */
const entrySchema = fileSchema.extend({
  request: z.string(),
  outcome: z.enum(['done', 'failed']),
  /** Why it failed; absent when it is done. */
  code: z.string().exactOptional(),
  message: z.string().exactOptional(),
  /** The same recording would be rejected again. */
  final: z.boolean().exactOptional(),
});
export type JournalEntry = Readonly<z.infer<typeof entrySchema>>;

/** A line of the journal, or a file that could not be read, of which no line is written. */
export type FileOutcome = Omit<JournalEntry, 'sha256'> & Partial<Pick<JournalEntry, 'sha256'>>;

/** A batch before it is sent; its files get lines of their own once they have ended. */
const batchSchema = z.object({
  /** Idempotency key of the batch. */
  key: z.string(),
  /** Set once the service has created the batch. */
  id: z.string().exactOptional(),
  request: z.string(),
  files: z.array(fileSchema).readonly(),
});
export type JournalBatch = Readonly<z.infer<typeof batchSchema>>;

export const journalLineSchema = z.union([entrySchema, batchSchema]);

export interface BulkPlan {
  readonly pending: readonly FoundFile[];
  /** Results of an earlier run exist. */
  readonly done: readonly FoundFile[];
  /** Rejected in an earlier run; the same bytes would be rejected again. */
  readonly rejected: readonly JournalEntry[];
}

export interface Journal {
  /** Oldest first. */
  readonly entries: readonly JournalEntry[];
  readonly batches: readonly JournalBatch[];
}

const maxBatchFiles = 200;

/**
 * Batches of an earlier run with pending files, and those whose files have all ended, which it has
 * not come to delete. A batch that may not have been created needs all of its files unchanged,
 * because its key covers them.
 */
export function openBatches(
  { entries, batches }: Journal,
  request: string,
  pending: readonly FoundFile[],
): readonly JournalBatch[] {
  const open = new Set(pending.map(nameOf));
  const ended = new Set(entries.filter((entry) => entry.request === request).map(nameOf));
  const byKey = new Map(
    batches
      .filter((batch) => batch.request === request)
      .map((batch) => [batch.key, batch] as const),
  );
  return [...byKey.values()].filter(({ id, files }) => {
    const isOpen = (file: FoundFile): boolean => open.has(nameOf(file));
    if (files.length === 0) return false;
    if (id === undefined) return files.every(isOpen);
    // Results that nobody has taken stay on the service, as of recordings that are gone.
    return files.some(isOpen) || files.every((file) => ended.has(nameOf(file)));
  });
}

/** Groups the files of no earlier batch; the key of a group covers its set of files. */
export function groupFiles(
  pending: readonly FoundFile[],
  inProgress: readonly JournalBatch[],
  request: string,
): readonly JournalBatch[] {
  const held = new Set(inProgress.flatMap(({ files }) => files.map(nameOf)));
  const rest = pending.filter((file) => !held.has(nameOf(file)));
  const groups = Math.ceil(rest.length / maxBatchFiles);
  return Array.from({ length: groups }, (_, i) => {
    const files = rest.slice(i * maxBatchFiles, (i + 1) * maxBatchFiles);
    const text = JSON.stringify([request, files]);
    return { key: `svc-bulk-${createHash('sha256').update(text).digest('hex')}`, request, files };
  });
}

/** What the service takes as a `custom_id`. */
const maxCustomIdLength = 128;

/**
 * The path where the service takes it; a part of it and its hash otherwise. Every run gives a file
 * the same, so that it identifies the results of an earlier one.
 */
export function customIdOf(path: string): string {
  const plain = path.replaceAll(/\p{Cc}/gu, '_');
  if (plain === path && path.length <= maxCustomIdLength) return path;
  const hash = createHash('sha256').update(path).digest('hex').slice(0, 16);
  // The end has the name of the recording; no character is cut in two.
  const end = plain.slice(-(maxCustomIdLength - hash.length - 1)).replace(/^[\uDC00-\uDFFF]/, '');
  return `${hash}-${end}`;
}

export function nameOf({ path, sha256 }: FoundFile): string {
  return `${sha256} ${path}`;
}

/** @param journal oldest first: a later line about a file replaces an earlier one */
export function planBulk(
  files: readonly FoundFile[],
  journal: readonly JournalEntry[],
  request: string,
): BulkPlan {
  const known = new Map(
    journal
      .filter((entry) => entry.request === request)
      .map((entry) => [nameOf(entry), entry] as const),
  );
  const entryOf = (file: FoundFile) => known.get(nameOf(file));
  return {
    pending: files.filter((file) => {
      const entry = entryOf(file);
      return entry?.outcome !== 'done' && entry?.final !== true;
    }),
    done: files.filter((file) => entryOf(file)?.outcome === 'done'),
    rejected: files.flatMap((file) => {
      const entry = entryOf(file);
      return entry?.outcome === 'failed' && entry.final === true ? [entry] : [];
    }),
  };
}
