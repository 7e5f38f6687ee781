// The address at which clients reach the service: the configured one, or the one they used.
import type { ClientConnection } from './forwarded-headers.ts';

type AddressedRequest = Pick<ClientConnection, 'host' | 'secure'>;

/** @param publicUrl base address for clients; null takes the one of this request */
export function publicAddress(
  { secure, host }: AddressedRequest,
  publicUrl: string | null,
): string {
  return publicUrl ?? `${secure ? 'https' : 'http'}://${host}`;
}

/** The WebSocket address of a path. */
export function streamUrl(
  connection: AddressedRequest,
  publicUrl: string | null,
  path: string,
): string {
  return publicAddress(connection, publicUrl).replace(/^http/, 'ws').replace(/\/$/, '') + path;
}
