// The secret that an upgrade is authenticated by, and the organization that it belongs to.
import type { IncomingMessage } from 'node:http';
import { findAccountByKey } from '../../db/api-keys.ts';
import type { Db } from '../../db/database.ts';
import { findCredential } from '../../db/stream-credentials.ts';
import type { StreamCredentialKind } from '../../db/tables.ts';
import { ServiceError } from '../../models/contract/errors.ts';
import { streamPaths, subprotocols, type StreamKind } from '../../models/contract/streams.ts';
import { bearerKey } from '../http/bearer-key.ts';

interface KeySecret {
  readonly kind: 'key';
  readonly text: string;
}

/** Opens one stream. */
export interface CredentialSecret {
  readonly kind: StreamCredentialKind;
  readonly text: string;
}

export type UpgradeSecret = KeySecret | CredentialSecret;

const kinds = ['spectra', 'lite'] as const;
const credentialPattern = /^[A-Za-z0-9._-]{1,1024}$/;
const tokenPrefix = 'auth.';

/** @param path without a query */
export function streamOfPath(path: string): StreamKind | null {
  return kinds.find((kind) => streamPaths[kind] === path) ?? null;
}

/**
 * The ticket or token among the offered subprotocols, which goes before the key; the stream's own
 * subprotocol must be offered.
 * @throws ServiceError 400, 401
 */
export function readUpgradeSecret({ headers }: IncomingMessage, kind: StreamKind): UpgradeSecret {
  const offered = (headers['sec-websocket-protocol'] ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  if (!offered.includes(subprotocols[kind])) {
    const message = `The upgrade must offer the subprotocol ${subprotocols[kind]}.`;
    throw new ServiceError('invalid_field', message, { param: 'Sec-WebSocket-Protocol' });
  }
  const [secret, ...more] = offered.filter((name) => name !== subprotocols[kind]);
  if (secret === undefined) {
    const key = bearerKey(headers.authorization);
    if (key === null) throw unauthorized();
    return { kind: 'key', text: key };
  }
  const text = kind === 'lite' ? secret.slice(tokenPrefix.length) : secret;
  const prefixed = kind === 'spectra' || secret.startsWith(tokenPrefix);
  if (more.length > 0 || !prefixed || !credentialPattern.test(text)) throw unauthorized();
  return { kind: kind === 'spectra' ? 'ticket' : 'client_token', text };
}

/** @returns null when the secret is not valid */
export async function findOrganization(
  db: Db,
  { kind, text }: UpgradeSecret,
): Promise<string | null> {
  const found =
    kind === 'key' ? await findAccountByKey(db, text) : await findCredential(db, kind, text);
  return found?.organizationId ?? null;
}

export function unauthorized(): ServiceError {
  const message = 'The key, ticket or token is not valid, or it was used before.';
  return new ServiceError('invalid_api_key', message);
}
