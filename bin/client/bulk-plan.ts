// What of a folder is still to be analysed: results are known by content and request; pure.
import type { AnalysisRequest } from './analysis-client.ts';

export interface FoundFile {
  /** Relative to the folder, with slashes. */
  readonly path: string;
  readonly sha256: string;
}

/** A line of the journal beside the results. */
export interface JournalEntry extends FoundFile {
  readonly request: string;
  readonly outcome: 'done' | 'failed';
  /** Why it failed; absent when it is done. */
  readonly code?: string;
  readonly message?: string;
  /** The same recording would be refused again. */
  readonly final?: boolean;
}

export interface BulkPlan {
  readonly todo: readonly FoundFile[];
  /** Results of an earlier run stand. */
  readonly done: readonly FoundFile[];
  /** Refused by an earlier run; the same bytes would be refused again. */
  readonly refused: readonly JournalEntry[];
}

/** The request as the journal names it. */
export function requestName({ task, fields }: AnalysisRequest): string {
  const sorted = Object.entries(fields).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return [task, ...sorted.map(([name, value]) => `${name}=${value}`)].join(' ');
}

/** @param journal oldest first: a later line about the same file replaces an earlier one */
export function planBulk(
  files: readonly FoundFile[],
  journal: readonly JournalEntry[],
  request: string,
): BulkPlan {
  const known = new Map(
    journal
      .filter((entry) => entry.request === request)
      .map((entry) => [`${entry.sha256} ${entry.path}`, entry] as const),
  );
  const entryOf = ({ sha256, path }: FoundFile) => known.get(`${sha256} ${path}`);
  return {
    todo: files.filter((file) => {
      const entry = entryOf(file);
      return entry?.outcome !== 'done' && entry?.final !== true;
    }),
    done: files.filter((file) => entryOf(file)?.outcome === 'done'),
    refused: files.flatMap((file) => {
      const entry = entryOf(file);
      return entry?.outcome === 'failed' && entry.final === true ? [entry] : [];
    }),
  };
}
