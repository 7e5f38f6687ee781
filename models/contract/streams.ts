// Paths and subprotocols of the streams.

export const streamPaths = {
  spectra: '/v1/audio/spectra-2/stream',
  lite: '/v1/audio/transcriptions/stream',
  /** Sessions of OpenAI's Realtime API. */
  realtime: '/openai/v1/realtime',
} as const;

export type StreamKind = keyof typeof streamPaths;

const kinds = Object.keys(streamPaths) as readonly StreamKind[];

/**
 * Takes what the router takes for other paths: any case, and a slash at the end.
 * @param url of a request, with its query or without
 */
export function streamOfUrl(url: string): StreamKind | null {
  const path = url.split('?')[0]!.toLowerCase().replace(/\/$/, '');
  return kinds.find((kind) => streamPaths[kind] === path) ?? null;
}

/** The streams of the service's own protocols. */
export type FramedStream = Exclude<StreamKind, 'realtime'>;

export const subprotocols = { spectra: 'svc.spectra2.v1', lite: 'svceet.pcm.v1' } as const;

/** The same protocols with interim text: docs/streams/live.md. */
export const liveSubprotocols = {
  spectra: 'svc.spectra2.live.v1',
  lite: 'svceet.pcm.live.v1',
} as const satisfies Readonly<Record<FramedStream, string>>;

/** The subprotocol of a stream among the offered ones, with interim text first; null: none. */
export function chooseSubprotocol(
  kind: FramedStream,
  offered: Iterable<string>,
): { readonly name: string; readonly isLive: boolean } | null {
  const names = new Set(offered);
  const { [kind]: live } = liveSubprotocols;
  const { [kind]: plain } = subprotocols;
  if (names.has(live)) return { name: live, isLive: true };
  return names.has(plain) ? { name: plain, isLive: false } : null;
}
