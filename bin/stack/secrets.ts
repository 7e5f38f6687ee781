// Random secrets of an embedded stack, created once and kept private in its data directory.
import { randomBytes } from 'node:crypto';
import { copyFileSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

const secretsSchema = z.strictObject({
  postgresPassword: z.string().min(20),
  postgresServicePassword: z.string().min(20),
  s3AccessKeyId: z.string().min(3),
  s3SecretAccessKey: z.string().min(20),
  /** Every `SVC_SECRETS_KEY` that the processes ever had, separated by commas, newest first. */
  secretsKey: z.string().min(40),
});

export type Secrets = z.infer<typeof secretsSchema>;

/**
 * The secrets of a data directory: created at its first start; a later version adds what is new.
 */
export function ensureSecrets(dataDirectory: string): Secrets {
  const path = secretsPath(dataDirectory);
  const before = existsSync(path) ? readFileSync(path, 'utf8') : '{}';
  const secrets = completed(before, path);
  const text = JSON.stringify(secrets);
  if (text !== before) writePrivateFile(path, text);
  return secrets;
}

/**
 * The keys of a start and those of earlier ones, which still open what they sealed: newest first.
 * @param given `SVC_SECRETS_KEY` of the environment
 */
export function joinedKeys(given: string | undefined, { secretsKey }: Secrets): string {
  if (!given) return secretsKey;
  const known = keysOf(given);
  return [given, ...keysOf(secretsKey).filter((key) => !known.includes(key))].join(',');
}

function keysOf(text: string): readonly string[] {
  return text.split(',').map((key) => key.trim());
}

/** Keeps the keys for the next start, whose environment may not have them. */
export function keepKeys(dataDirectory: string, secrets: Secrets, secretsKey: string): void {
  if (secretsKey === secrets.secretsKey) return;
  writePrivateFile(secretsPath(dataDirectory), JSON.stringify({ ...secrets, secretsKey }));
}

/** @throws Error that names the file, as nobody else has what is in it */
function completed(text: string, path: string): Secrets {
  try {
    return secretsSchema.parse({ ...newSecrets(), ...(JSON.parse(text) as object) });
  } catch (cause) {
    throw new Error(`${path} is damaged; bring it back from a backup: ${String(cause)}`, { cause });
  }
}

/** Of a data directory that has none yet. */
export function newSecrets(): Secrets {
  return {
    postgresPassword: randomBytes(24).toString('hex'),
    postgresServicePassword: randomBytes(24).toString('hex'),
    s3AccessKeyId: `svc${randomBytes(8).toString('hex')}`,
    s3SecretAccessKey: randomBytes(24).toString('hex'),
    secretsKey: randomBytes(32).toString('base64'),
  };
}

/** Writes a private file atomically, and so that a power cut leaves the old one or the new one. */
export function writePrivateFile(path: string, text: string): void {
  const temporary = `${path}.${process.pid}.tmp`;
  try {
    writeFileSync(temporary, text, { mode: 0o600, flush: true });
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw withPath(error, path);
  }
}

/** As Node says it of most calls: a write, which a full disk ends, knows its descriptor alone. */
function withPath(error: unknown, path: string): unknown {
  if (!(error instanceof Error) || 'path' in error) return error;
  error.message += ` '${path}'`;
  return error;
}

/** Of a data directory for a backup, and the other way round. */
export function copySecrets(from: string, to: string): void {
  copyFileSync(secretsPath(from), secretsPath(to));
  // Without its key `npm start` would make another organization for the demonstration.
  const demoKey = join(from, 'demo-key');
  if (existsSync(demoKey)) copyFileSync(demoKey, join(to, 'demo-key'));
}

function secretsPath(dataDirectory: string): string {
  return join(dataDirectory, 'secrets.json');
}
