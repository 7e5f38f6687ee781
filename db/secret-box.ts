// Seals secrets that have to be read again: AES-256-GCM with a key that the database does not have.
import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';

export interface SecretBox {
  /** @param owner is authenticated with the secret, so that it cannot be opened from another row */
  seal(secret: string, owner: string): string;
  /** Also accepts the clear text that an earlier version wrote. @throws SecretUnreadable */
  open(stored: string, owner: string): string;
  /** True when it is sealed with the newest key. */
  isCurrent(stored: string): boolean;
  /** Whether it has the key of that id, as sealed secrets name it. */
  hasKey(id: string): boolean;
}

/** `SVC_SECRETS_KEY` cannot be used; the message says what it takes. */
export class SecretsKeyInvalid extends Error {
  override readonly name = 'SecretsKeyInvalid';
}

/** No key of this process can open the secret. */
export class SecretUnreadable extends Error {
  override readonly name = 'SecretUnreadable';
}

/** Some rows stay as they were, because no key opens their secrets; the others are sealed. */
export class SecretsKept extends Error {
  override readonly name = 'SecretsKept';
  /** How many rows were changed. */
  readonly changed: number;
  /** Of each row that was kept, whose secret it is and why it cannot be opened. */
  readonly kept: readonly string[];

  constructor(changed: number, kept: readonly string[]) {
    super(kept.join('; '));
    this.changed = changed;
    this.kept = kept;
  }
}

const keyBytes = 32;
const nonceBytes = 12;
const tagBytes = 16;
const algorithm = 'aes-256-gcm';
const sealedPattern = /^sealed:1:([0-9a-f]{8}):([A-Za-z0-9_-]+)$/;

/**
 * @param keys comma-separated base64 of 32 bytes each; the first seals, and all of them open
 * @throws SecretsKeyInvalid
 */
export function createSecretBox(keys: string): SecretBox {
  const all = keys.split(',').map((text) => readKey(text.trim()));
  const [newest] = all;
  const prefix = `sealed:1:${newest!.id}:`;
  return {
    seal(secret, owner) {
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv(algorithm, newest!.key, nonce).setAAD(Buffer.from(owner));
      const text = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
      return prefix + Buffer.concat([nonce, text, cipher.getAuthTag()]).toString('base64url');
    },
    open(stored, owner) {
      const [, id, body] = sealedPattern.exec(stored) ?? [];
      if (id === undefined) return stored;
      const key = all.find((candidate) => candidate.id === id)?.key;
      if (!key) throw new SecretUnreadable(`SVC_SECRETS_KEY does not contain the key ${id}`);
      const bytes = Buffer.from(body!, 'base64url');
      const decipher = createDecipheriv(algorithm, key, bytes.subarray(0, nonceBytes));
      decipher.setAAD(Buffer.from(owner)).setAuthTag(bytes.subarray(-tagBytes));
      const text = decipher.update(bytes.subarray(nonceBytes, -tagBytes));
      try {
        return Buffer.concat([text, decipher.final()]).toString('utf8');
      } catch (cause) {
        throw new SecretUnreadable('the secret was modified, or belongs to another row', { cause });
      }
    },
    isCurrent: (stored) => stored.startsWith(prefix),
    hasKey: (id) => all.some((key) => key.id === id),
  };
}

/**
 * Seals the secrets of rows anew, and goes on where one cannot be opened.
 * @param seal of one row; returns how many rows it changed
 * @param nameOf says whose secret the row has
 * @returns how many rows were changed
 * @throws SecretsKept
 */
export async function sealEach<Row>(
  rows: readonly Row[],
  seal: (row: Row) => Promise<number>,
  nameOf: (row: Row) => string,
): Promise<number> {
  let changed = 0;
  const kept: string[] = [];
  for (const row of rows) {
    try {
      changed += await seal(row);
    } catch (error) {
      if (!(error instanceof SecretUnreadable)) throw error;
      kept.push(`${nameOf(row)}: ${error.message}`);
    }
  }
  if (kept.length > 0) throw new SecretsKept(changed, kept);
  return changed;
}

function readKey(text: string): { readonly id: string; readonly key: Buffer } {
  const key = Buffer.from(text, 'base64');
  if (key.length !== keyBytes) {
    const message = `SVC_SECRETS_KEY must be base64 of ${keyBytes} bytes, got ${key.length} bytes`;
    throw new SecretsKeyInvalid(`${message}; create one with: openssl rand -base64 ${keyBytes}`);
  }
  return { key, id: createHash('sha256').update(key).digest('hex').slice(0, 8) };
}
