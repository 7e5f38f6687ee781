// Where clients reach the service: the address that it was given, else the one they came to.
import type { ParameterizedContext } from 'koa';

type AddressedRequest = Pick<ParameterizedContext, 'host' | 'secure'>;

/** @param publicUrl base address that clients use; null takes the one that this request came to */
export function publicAddress(
  { secure, host }: AddressedRequest,
  publicUrl: string | null,
): string {
  return publicUrl ?? `${secure ? 'https' : 'http'}://${host}`;
}

/** The WebSocket address of a path. */
export function streamUrl(ctx: AddressedRequest, publicUrl: string | null, path: string): string {
  return publicAddress(ctx, publicUrl).replace(/^http/, 'ws').replace(/\/$/, '') + path;
}
