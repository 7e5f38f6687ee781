// Names of containers in messages, and their MIME types in forms.

/** Containers that the service decodes. */
export type Container = 'wav' | 'flac' | 'mp3' | 'm4a' | 'ogg' | 'webm' | RawSamples;

/** Mono samples at 16 kHz without a container, little-endian. */
export type RawSamples = 'pcm16' | 'f32le';

const containers: Readonly<
  Record<Container, { readonly name: string; readonly mediaType: string }>
> = {
  wav: { name: 'WAV', mediaType: 'audio/wav' },
  flac: { name: 'FLAC', mediaType: 'audio/flac' },
  mp3: { name: 'MP3', mediaType: 'audio/mpeg' },
  m4a: { name: 'M4A', mediaType: 'audio/mp4' },
  ogg: { name: 'OGG', mediaType: 'audio/ogg' },
  webm: { name: 'WebM', mediaType: 'audio/webm' },
  pcm16: { name: 'audio/pcm', mediaType: 'audio/pcm' },
  f32le: { name: 'audio/f32le', mediaType: 'audio/f32le' },
};

/** `WAV, FLAC or OGG`. */
export function namesOf(list: readonly Container[]): string {
  const names = list.map((container) => containers[container].name);
  return [names.slice(0, -1).join(', '), names.at(-1)].filter(Boolean).join(' or ');
}

/** MIME types, comma-separated, each once. */
export function mediaTypesOf(list: readonly Container[]): string {
  return [...new Set(list)].map((container) => containers[container].mediaType).join(', ');
}

/** Containers that identify themselves; raw samples are identified by their declared type. */
export const selfDescribing = ['wav', 'flac', 'mp3', 'm4a', 'ogg', 'webm'] as const;
