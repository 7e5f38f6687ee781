// Random secrets of an embedded stack: made once, kept in its data directory for the owner alone.
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

const secretsSchema = z.strictObject({
  postgresPassword: z.string().min(20),
  s3AccessKeyId: z.string().min(3),
  s3SecretAccessKey: z.string().min(20),
});

export type Secrets = z.infer<typeof secretsSchema>;

/** Reads the secrets of a data directory, or null before its first start. */
export function readSecrets(dataDirectory: string): Secrets | null {
  const path = secretsPath(dataDirectory);
  if (!existsSync(path)) return null;
  return secretsSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
}

/** The secrets of a data directory, made at its first start. */
export function ensureSecrets(dataDirectory: string): Secrets {
  const known = readSecrets(dataDirectory);
  if (known !== null) return known;
  const secrets: Secrets = {
    postgresPassword: randomBytes(24).toString('hex'),
    s3AccessKeyId: `svc${randomBytes(8).toString('hex')}`,
    s3SecretAccessKey: randomBytes(24).toString('hex'),
  };
  writePrivateFile(secretsPath(dataDirectory), JSON.stringify(secrets));
  return secrets;
}

/** Writes a file that only its owner may read, whole or not at all. */
export function writePrivateFile(path: string, text: string): void {
  const temporary = `${path}.${process.pid}.tmp`;
  writeFileSync(temporary, text, { mode: 0o600 });
  renameSync(temporary, path);
}

function secretsPath(dataDirectory: string): string {
  return join(dataDirectory, 'secrets.json');
}
