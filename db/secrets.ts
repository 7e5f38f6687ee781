// Secrets that are handed out once: random, kept as a hash, never logged.
import { createHash, randomBytes } from 'node:crypto';

/** URL-safe text of so many random bytes. */
export function newSecret(bytes: number): string {
  return randomBytes(bytes).toString('base64url');
}

/** A fast hash is enough for what was drawn at random: there is nothing to guess. */
export function hashSecret(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}

/** A public id that nobody guesses: the prefix and 24 hexadecimal digits. */
export function newId(prefix: string): string {
  return prefix + randomBytes(12).toString('hex');
}
