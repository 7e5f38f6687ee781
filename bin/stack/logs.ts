// The log files of the stack's parts: JSON lines, rotated by size.
import {
  closeSync,
  existsSync,
  fstatSync,
  openSync,
  readSync,
  renameSync,
  writeSync,
} from 'node:fs';

export interface LogOptions {
  readonly path: string;
  /** Name of the part, for lines that are not JSON. */
  readonly name: string;
  /** A file of this size is renamed to `<path>.1`. */
  readonly maxBytes?: number;
}

export interface LogFile {
  /** Takes output of one of the part's streams. */
  write(stream: 'stdout' | 'stderr', piece: string): void;
  /** Writes the last line even without its end. */
  end(): void;
}

const defaultMaxBytes = 8 * 2 ** 20;
/** Rotated files besides the current one. */
const keptFiles = 4;
/** Longer lines are split, because output without line ends must not fill the memory. */
const maxLineLength = 64 * 2 ** 10;
const infoLevel = 30;
const tailBytes = 8192;
const tailLines = 15;

/**
 * Opens a log for appending. Writes are synchronous, so that the tail is complete when a part ends.
 */
export function openLog({ path, name, maxBytes = defaultMaxBytes }: LogOptions): LogFile {
  const rest = { stdout: '', stderr: '' };
  let file: number | null = openSync(path, 'a', 0o600);

  function close(): void {
    if (file !== null) closeSync(file);
    file = null;
  }

  function append(line: string): void {
    if (line === '') return;
    const bytes = Buffer.from(`${asJson(line, name)}\n`);
    try {
      file ??= openSync(path, 'a', 0o600);
      const { size } = fstatSync(file);
      if (size > 0 && size + bytes.length > maxBytes) {
        close();
        shiftFiles(path);
        file = openSync(path, 'a', 0o600);
      }
      writeSync(file, bytes);
    } catch {
      // A full disk costs lines of the log, but never the part or the stack.
    }
  }

  return {
    write(stream, piece) {
      const lines = (rest[stream] + piece).split('\n');
      rest[stream] = lines.pop()!;
      for (const line of lines) append(line);
      if (rest[stream].length <= maxLineLength) return;
      append(rest[stream]);
      rest[stream] = '';
    },
    end() {
      for (const stream of ['stdout', 'stderr'] as const) append(rest[stream]);
      close();
    },
  };
}

/** Temporal's server has words for levels, where `level >= 50` would find every line. */
const levels: ReadonlyMap<unknown, number> = new Map([
  ['DEBUG', 20],
  ['INFO', infoLevel],
  ['WARN', 40],
  ['ERROR', 50],
  ['DPANIC', 60],
  ['PANIC', 60],
  ['FATAL', 60],
]);

/** Wraps plain text as JSON, and gives all lines one form, so that log readers need one parser. */
function asJson(line: string, name: string): string {
  try {
    const parsed: unknown = JSON.parse(line);
    if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)) {
      const { level: word, time, ...rest } = parsed as Readonly<Record<string, unknown>>;
      const level = levels.get(String(word).toUpperCase());
      if (level === undefined) return line;
      return JSON.stringify({ level, time: Date.parse(String(time)) || Date.now(), name, ...rest });
    }
  } catch {
    // Plain text is wrapped below.
  }
  const msg = line.slice(0, maxLineLength).trimEnd();
  return JSON.stringify({ level: infoLevel, time: Date.now(), name, msg });
}

function shiftFiles(path: string): void {
  const nth = (i: number): string => (i === 0 ? path : `${path}.${i}`);
  for (let i = keptFiles - 1; i >= 0; i -= 1) {
    if (existsSync(nth(i))) renameSync(nth(i), nth(i + 1));
  }
}

/** The last lines of a log, indented for an error message. */
export function tailOf(path: string): string {
  if (!existsSync(path)) return '  (there is no log)';
  const file = openSync(path, 'r');
  try {
    const { size } = fstatSync(file);
    const length = Math.min(size, tailBytes);
    const data = Buffer.alloc(length);
    readSync(file, data, 0, length, size - length);
    const lines = data.toString('utf8').trimEnd().split('\n').slice(-tailLines);
    return lines.map((line) => `  ${line}`).join('\n');
  } finally {
    closeSync(file);
  }
}
