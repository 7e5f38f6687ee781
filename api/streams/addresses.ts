// Where the streams are and what they are called, as clients see it.
import type { ParameterizedContext } from 'koa';

export type StreamKind = 'spectra' | 'lite';

export const streamPaths = {
  spectra: '/v1/audio/spectra-2/stream',
  lite: '/v1/audio/transcriptions/stream',
} as const;

const known: readonly string[] = Object.values(streamPaths);

/** @param url of a request, with its query */
export function isStreamPath(url: string): boolean {
  return known.includes(url.split('?')[0]!);
}

export const subprotocols = { spectra: 'svc.spectra2.v1', lite: 'svceet.pcm.v1' } as const;

/**
 * The WebSocket address of a path.
 * @param publicUrl base address that clients use; null takes the one that this request came to
 */
export function streamUrl(
  ctx: Pick<ParameterizedContext, 'host' | 'secure'>,
  publicUrl: string | null,
  path: string,
): string {
  const base = publicUrl ?? `${ctx.secure ? 'https' : 'http'}://${ctx.host}`;
  return base.replace(/^http/, 'ws').replace(/\/$/, '') + path;
}
