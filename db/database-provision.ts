// Creates the database and the service's role, which needs more privileges than migrations.
import pg from 'pg';
import { connectionString } from './connection.ts';

/** The server does not permit a step; the message says what an administrator can do. */
export class ProvisionError extends Error {
  override readonly name = 'ProvisionError';
}

/** SQLSTATE codes (PostgreSQL, appendix A). */
const codes = {
  noDatabase: '3D000',
  duplicateDatabase: '42P04',
  duplicateRole: '42710',
  wrongPassword: '28P01',
  insufficientPrivilege: '42501',
};
const connectTimeoutMs = 10_000;
const maintenanceDatabase = 'postgres';
const rights = 'LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS';

/** Creates the database of the URL. @returns whether it was created */
export async function ensureDatabase(ownerUrl: string): Promise<boolean> {
  const missing = await withClient(ownerUrl, async () => false).catch((error: unknown) => {
    if (codeOf(error) === codes.noDatabase) return true;
    throw error;
  });
  if (!missing) return false;
  const url = new URL(ownerUrl);
  const name = decodeURIComponent(url.pathname.slice(1));
  url.pathname = `/${maintenanceDatabase}`;
  const statement = `CREATE DATABASE ${pg.escapeIdentifier(name)}`;
  return withClient(url.href, (client) => run(client, statement, codes.duplicateDatabase));
}

/**
 * Creates the role that the service connects as, without privileges, and permits it to connect to
 * the database. An existing role keeps its password.
 * @returns whether it was created
 */
export async function ensureServiceRole(ownerUrl: string, serviceUrl: string): Promise<boolean> {
  const { username, password, pathname } = new URL(serviceUrl);
  const role = decodeURIComponent(username);
  return withClient(ownerUrl, async (client) => {
    const found = await client.query('SELECT 1 FROM pg_roles WHERE rolname = $1', [role]);
    const statement = roleStatement(role, decodeURIComponent(password));
    const created = found.rowCount === 0 && (await run(client, statement, codes.duplicateRole));
    const database = pg.escapeIdentifier(decodeURIComponent(pathname.slice(1)));
    await run(client, `GRANT CONNECT ON DATABASE ${database} TO ${pg.escapeIdentifier(role)}`);
    return created;
  });
}

function roleStatement(role: string, password: string): string {
  const secret = pg.escapeLiteral(password);
  return `CREATE ROLE ${pg.escapeIdentifier(role)} ${rights} PASSWORD ${secret}`;
}

/** Connects as the service does. @throws ProvisionError when the password is wrong */
export async function requireLogin(serviceUrl: string): Promise<void> {
  await withClient(serviceUrl, async () => {}).catch((error: unknown) => {
    if (codeOf(error) !== codes.wrongPassword) throw error;
    const role = decodeURIComponent(new URL(serviceUrl).username);
    throw new ProvisionError(
      `the role ${role} exists with a different password than DATABASE_URL: ` +
        `correct DATABASE_URL, or run ALTER ROLE ${pg.escapeIdentifier(role)} PASSWORD '…'`,
      { cause: error },
    );
  });
}

/** @param done SQLSTATE that means that nothing is left to do @returns false in that case */
async function run(client: pg.Client, statement: string, done?: string): Promise<boolean> {
  try {
    await client.query(statement);
    return true;
  } catch (error) {
    const code = codeOf(error);
    if (done !== undefined && code === done) return false;
    if (code !== codes.insufficientPrivilege) throw error;
    const safe = statement.replace(/ PASSWORD .*/, " PASSWORD '…'");
    throw lackOf(client.user ?? '', safe, error);
  }
}

/** What an administrator can do where the owner may not create tables; else the error itself. */
export function explainMigration(error: unknown, ownerUrl: string): unknown {
  const denied = codeOf(error) === codes.insufficientPrivilege ? (error as Error).message : '';
  const [, schema] = /^permission denied for schema (.+)$/.exec(denied) ?? [];
  if (schema === undefined) return error;
  const owner = decodeURIComponent(new URL(ownerUrl).username);
  const [within, to] = [schema, owner].map((name) => pg.escapeIdentifier(name));
  return lackOf(owner, `GRANT USAGE, CREATE ON SCHEMA ${within} TO ${to}`, error);
}

function lackOf(role: string, statement: string, cause: unknown): ProvisionError {
  const message = `the role ${role} lacks a privilege; an administrator must run: ${statement};`;
  return new ProvisionError(message, { cause });
}

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({
    connectionString: connectionString(url),
    connectionTimeoutMillis: connectTimeoutMs,
  });
  client.on('error', () => {}); // The statement that follows reports it.
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

function codeOf(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError ? error.code : undefined;
}
