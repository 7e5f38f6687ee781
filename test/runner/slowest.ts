// Which test files the run spends its time on, so that a slow one is noticed early.

const listed = 10;
const mark = 'test file time: ';

export interface FileTime {
  /** Relative to the folder of the tests. */
  readonly file: string;
  readonly ms: number;
}

/** What a test file's process writes to its standard error when it ends. */
export function fileTimeLine(time: FileTime): string {
  return `${mark}${JSON.stringify(time)}`;
}

/** @returns null for a line that is something else */
export function readFileTime(line: string): FileTime | null {
  return line.startsWith(mark) ? (JSON.parse(line.slice(mark.length)) as FileTime) : null;
}

/** The slowest files, the longest first, as lines of seconds and name. */
export function slowestFiles(times: readonly FileTime[]): readonly string[] {
  return times
    .toSorted((one, other) => other.ms - one.ms)
    .slice(0, listed)
    .map(({ file, ms }) => `${(ms / 1_000).toFixed(1).padStart(6)} s  ${file}`);
}
