// Shared by the `svc admin` commands: access to the database, and printing of rows.
import { openDatabase, type Db } from '../../../db/database.ts';
import { createSecretBox, SecretsKeyInvalid, type SecretBox } from '../../../db/secret-box.ts';
import { databaseSettings } from '../../settings/database-config.ts';
import { readConfig } from '../../settings/read-config.ts';
import { secretsSettings } from '../../settings/service-config.ts';
import { environmentOf } from '../../stack/running-environment.ts';
import { readSettings } from '../../settings/stack-settings.ts';
import { tableLines } from '../table.ts';

/** Reports read months of requests, and an operator waits longer than a caller. */
const statementTimeoutMs = 600_000;

/** @throws where neither a stack nor the environment says which service is meant */
function serviceEnvironment(): Record<string, string> {
  const environment = environmentOf(readSettings(process.env).dataDirectory, process.env);
  if (environment.DATABASE_URL || environment.DATABASE_URL_FILE) return environment;
  throw new Error('no stack is running here; start it or set DATABASE_URL');
}

/** Opens the database of the running stack, or that of `DATABASE_URL`. */
export async function withDatabase<T>(work: (db: Db) => Promise<T>): Promise<T> {
  const environment = serviceEnvironment();
  const { DATABASE_URL } = readConfig(databaseSettings, environment);
  const db = openDatabase(DATABASE_URL, { statementTimeoutMs });
  try {
    return await work(db);
  } finally {
    await db.destroy();
  }
}

/**
 * Seals with the key of the running stack, or of the environment.
 * @throws SecretsKeyInvalid without one, InvalidSettings for what is none
 */
export function secretBox(): SecretBox {
  const environment = serviceEnvironment();
  const { SVC_SECRETS_KEY } = readConfig(secretsSettings, environment);
  if (SVC_SECRETS_KEY === undefined) throw new SecretsKeyInvalid('SVC_SECRETS_KEY is not set');
  return createSecretBox(SVC_SECRETS_KEY);
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
  process.stdout.write(`${tableLines(table).join('\n')}\n`);
}
