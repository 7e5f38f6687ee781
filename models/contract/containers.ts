// The containers: their names in messages, MIME types in forms, and file extensions.

/** Containers that the service decodes. */
export type Container = 'wav' | 'flac' | 'mp3' | 'm4a' | 'ogg' | 'webm' | RawSamples;

/** Mono samples at 16 kHz without a container, little-endian. */
export type RawSamples = 'pcm16' | 'f32le';

interface ContainerRow {
  readonly name: string;
  readonly mediaType: string;
  /** Of files, in lower case. */
  readonly extensions: readonly string[];
}

const containers: Readonly<Record<Container, ContainerRow>> = {
  wav: { name: 'WAV', mediaType: 'audio/wav', extensions: ['.wav'] },
  flac: { name: 'FLAC', mediaType: 'audio/flac', extensions: ['.flac'] },
  mp3: { name: 'MP3', mediaType: 'audio/mpeg', extensions: ['.mp3'] },
  m4a: { name: 'M4A', mediaType: 'audio/mp4', extensions: ['.m4a', '.mp4'] },
  ogg: { name: 'OGG', mediaType: 'audio/ogg', extensions: ['.ogg', '.opus'] },
  webm: { name: 'WebM', mediaType: 'audio/webm', extensions: ['.webm'] },
  pcm16: { name: 'audio/pcm', mediaType: 'audio/pcm', extensions: [] },
  f32le: { name: 'audio/f32le', mediaType: 'audio/f32le', extensions: [] },
};

/** The file extensions of all containers. */
export const fileExtensions: ReadonlySet<string> = new Set(
  Object.values(containers).flatMap(({ extensions }) => extensions),
);

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

export function isRaw(container: Container): container is RawSamples {
  return !(selfDescribing as readonly Container[]).includes(container);
}
