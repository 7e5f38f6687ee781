// Paths and subprotocols of the streams.

export const streamPaths = {
  spectra: '/v1/audio/spectra-2/stream',
  lite: '/v1/audio/transcriptions/stream',
} as const;

export type StreamKind = keyof typeof streamPaths;

const known: readonly string[] = Object.values(streamPaths);

/** @param url of a request, with its query */
export function isStreamPath(url: string): boolean {
  return known.includes(url.split('?')[0]!);
}

export const subprotocols = { spectra: 'svc.spectra2.v1', lite: 'svceet.pcm.v1' } as const;
