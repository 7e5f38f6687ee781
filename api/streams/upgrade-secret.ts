// The secret that an upgrade is authenticated by, and the organization that it belongs to.
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { findAccountByKey } from '../../db/accounts.ts';
import type { Db } from '../../db/database.ts';
import { findCredential } from '../../db/stream-credentials.ts';
import type { StreamCredentialKind } from '../../db/tables.ts';
import { ServiceError } from '../../models/contract/errors.ts';
import {
  chooseSubprotocol,
  liveSubprotocols,
  subprotocols,
  type StreamKind,
} from '../../models/contract/streams.ts';
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

const credentialPattern = /^[A-Za-z0-9._-]{1,1024}$/;
const tokenPrefix = 'auth.';

/**
 * The ticket or token among the offered subprotocols, which goes before the key; the stream's own
 * subprotocol must be offered, with or without interim text.
 * @throws ServiceError 400, 401
 */
export function readUpgradeSecret({ headers }: IncomingMessage, kind: StreamKind): UpgradeSecret {
  const offered = offeredProtocols(headers);
  if (kind === 'realtime') return realtimeSecret(offered, bearerKey(headers.authorization));
  if (!chooseSubprotocol(kind, offered)) {
    const message = `The upgrade must offer the subprotocol ${subprotocols[kind]}.`;
    throw new ServiceError('invalid_field', message, { param: 'Sec-WebSocket-Protocol' });
  }
  const own: readonly string[] = [subprotocols[kind], liveSubprotocols[kind]];
  const [secret, ...more] = offered.filter((name) => !own.includes(name));
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

/** OpenAI's clients for browsers send the key, or here a client token, in a subprotocol. */
const openAiKeyPrefix = 'openai-insecure-api-key.';

/** @param key of the header, which goes before the subprotocol */
function realtimeSecret(offered: readonly string[], key: string | null): UpgradeSecret {
  const named = offered.find((name) => name.startsWith(openAiKeyPrefix));
  const text = key ?? named?.slice(openAiKeyPrefix.length);
  if (text === undefined || !credentialPattern.test(text)) throw unauthorized();
  return { kind: text.startsWith('svc_') ? 'key' : 'client_token', text };
}

/** The names in the header of an upgrade, in their order. */
export function offeredProtocols(headers: IncomingHttpHeaders): readonly string[] {
  return (headers['sec-websocket-protocol'] ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
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
