// Secrets that are shown once: random, stored as a hash, never logged.
import { createHash, randomBytes } from 'node:crypto';

/** URL-safe text of the given number of random bytes. */
export function newSecret(bytes: number): string {
  return randomBytes(bytes).toString('base64url');
}

/** A fast hash suffices for a random secret, which cannot be guessed. */
export function hashSecret(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}

/** A random public id: the prefix and 24 hexadecimal digits. */
export function newId(prefix: string): string {
  return prefix + randomBytes(12).toString('hex');
}
