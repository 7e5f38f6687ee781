// What every `svc admin` command needs: the database, the operator's name, and how to print.
import { userInfo } from 'node:os';
import { openDatabase, type Db } from '../../../db/database.ts';
import { readSettings } from '../../stack/settings.ts';
import { environmentOf } from '../doctor.ts';

/** Who changed something, for the audit. */
export function operator(): string {
  return `operator:${userInfo().username}`;
}

/** Of the stack that runs here, or of `DATABASE_URL`. */
export async function withDatabase<T>(work: (db: Db) => Promise<T>): Promise<T> {
  const { DATABASE_URL } = environmentOf(readSettings(process.env).dataDirectory, process.env);
  if (!DATABASE_URL) throw new Error('no stack is running here; start it or set DATABASE_URL');
  const db = openDatabase(DATABASE_URL);
  try {
    return await work(db);
  } finally {
    await db.destroy();
  }
}

export interface PrintOptions {
  readonly json?: boolean;
}

type Row = Readonly<Record<string, string | number | boolean | null>>;

/** A table for people, a JSON array for programs. */
export function printRows(rows: readonly Row[], { json = false }: PrintOptions): void {
  if (json) {
    process.stdout.write(`${JSON.stringify(rows, null, 2)}\n`);
    return;
  }
  const [first] = rows;
  if (!first) return;
  const names = Object.keys(first);
  const table = [names, ...rows.map((row) => names.map((name) => String(row[name] ?? '-')))];
  const widths = names.map((_, i) => Math.max(...table.map((cells) => cells[i]!.length)));
  for (const cells of table) {
    const line = cells.map((cell, i) => cell.padEnd(widths[i]!)).join('  ');
    process.stdout.write(`${line.trimEnd()}\n`);
  }
}
