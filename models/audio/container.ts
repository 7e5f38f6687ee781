// Detects the container of a file from its first bytes; names and declared types are not trusted.
import type { Container, RawSamples } from '../contract/containers.ts';
import type { ByteSource } from './byte-source.ts';

const rawTypes: Readonly<Record<string, RawSamples>> = {
  'audio/pcm': 'pcm16',
  'audio/f32le': 'f32le',
};

/** Raw samples can only be recognised by their declared MIME type. */
export function rawSamplesOf(mimeType: string): RawSamples | null {
  const bare = mimeType.split(';')[0]!.trim().toLowerCase();
  return rawTypes[bare] ?? null;
}

/**
 * The container that a file declared as raw samples starts with, or null. Only signatures that do
 * not occur in samples by chance count; a header taken for audio would be transcribed.
 */
export function containerOfRaw(head: Uint8Array): Exclude<Container, RawSamples> | null {
  const found = sniffContainer(head);
  // Two bytes of a frame or three of a tag could be samples.
  return found === 'mp3' ? null : found;
}

/** The largest head that `sniffContainer` makes use of. */
export const sniffBytes = 16_384;

/**
 * The container; null for playlists, images, archives, text, video and everything else.
 * @param head the first bytes of the file, up to `sniffBytes`
 */
export function sniffContainer(head: Uint8Array): Exclude<Container, RawSamples> | null {
  const ascii = (offset: number, text: string): boolean =>
    Array.from(text).every((character, i) => head[offset + i] === character.charCodeAt(0));
  if (['RIFF', 'RF64', 'BW64'].some((form) => ascii(0, form)) && ascii(8, 'WAVE')) return 'wav';
  if (ascii(0, 'fLaC')) return 'flac';
  if (ascii(0, 'OggS')) return 'ogg';
  if (head[0] === 0x1a && head[1] === 0x45 && head[2] === 0xdf && head[3] === 0xa3) return 'webm';
  if (['ftyp', 'moov', 'mdat', 'wide', 'free', 'skip'].some((box) => ascii(4, box))) return 'm4a';
  if (isTag(head)) return taggedContainer(head);
  return isMpegAudio(head, 0) || startsWithinFrame(head) ? 'mp3' : null;
}

/**
 * ID3v2 tags precede MP3, and in practice FLAC as well. What follows tags that are longer than the
 * head is taken for MP3; the decoder looks again.
 */
function taggedContainer(head: Uint8Array): 'mp3' | 'flac' | null {
  const end = tagsEnd(head);
  if (end + 4 > head.length) return 'mp3';
  if (head[end] === 0x66 && head[end + 1] === 0x4c && head[end + 2] === 0x61) return 'flac';
  return [...Array(Math.min(2048, head.length - end)).keys()].some((i) => isFrame(head, end + i))
    ? 'mp3'
    : null;
}

/** Where the ID3v2 tags end with which a file begins; 0 without tags. */
export function tagsEnd(file: ByteSource): number {
  for (let end = 0; ;) {
    const header = file.subarray(end, end + tagHeaderBytes);
    if (!isTag(header)) return end;
    const [, , , , , flags = 0, ...size] = header;
    // Four bytes of seven bits, without head and foot.
    const body = size.reduce((sum, byte) => (sum << 7) | (byte & 0x7f), 0);
    end += tagHeaderBytes + body + (flags & 0x10 ? tagHeaderBytes : 0);
  }
}

const tagHeaderBytes = 10;

/**
 * The header of an ID3v2 tag, whose version is one of 2 to 4 and whose size has seven bits a byte:
 * a chunk `ID3 ` of a WAV file, which holds such a tag, is none.
 */
function isTag(head: Uint8Array): boolean {
  const [i, d, three, version = 0, , , ...size] = head.subarray(0, tagHeaderBytes);
  if (i !== 0x49 || d !== 0x44 || three !== 0x33 || size.length < 4) return false;
  return version >= 2 && version <= 4 && size.every((byte) => byte < 0x80);
}

/** The longest frame of layer III. */
export const maxFrameBytes = 1_441;
const confirmingFrames = 4;

/** MPEG audio layer III: a frame header that leads to a second one or past the head. */
function isMpegAudio(head: Uint8Array, offset: number): boolean {
  if (!isFrame(head, offset)) return false;
  const next = offset + frameLength(head, offset);
  return next + 4 > head.length || isFrame(head, next);
}

/** As captured streams do: a run of equal frames begins where the first, incomplete one ends. */
function startsWithinFrame(head: Uint8Array): boolean {
  for (let offset = 1; offset < maxFrameBytes; offset += 1) {
    if (isFrame(head, offset) && isRun(head, offset)) return true;
  }
  return false;
}

/** Whether frames of one version and rate follow each other; neither text nor noise have them. */
function isRun(head: Uint8Array, start: number): boolean {
  let offset = start;
  for (let frames = 0; frames < confirmingFrames; frames += 1) {
    const { lengthBytes } = readMpegFrame(head, offset);
    const next = offset + lengthBytes;
    const isSame = isFrame(head, next) && streamOf(head, next) === streamOf(head, start);
    if (lengthBytes === 0 || !isSame) return false;
    offset = next;
  }
  return true;
}

/** The bits of a header that are the same in all frames: version, layer, rate. */
function streamOf(head: Uint8Array, offset: number): number {
  return (head[offset + 1]! << 8) | (head[offset + 2]! & 0x0c);
}

function isFrame(head: Uint8Array, offset: number): boolean {
  const [sync = 0, version = 0, rates = 0] = head.subarray(offset, offset + 3);
  if (sync !== 0xff || (version & 0xe0) !== 0xe0) return false;
  const layer = (version >> 1) & 3;
  const versionId = (version >> 3) & 3;
  return layer === 1 && versionId !== 1 && rates >> 4 !== 15 && ((rates >> 2) & 3) !== 3;
}

const bitRatesV1 = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320];
const bitRatesV2 = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160];
const sampleRatesV1 = [44_100, 48_000, 32_000];

/** The fields of a layer III frame header. Source: ISO/IEC 11172-3 and 13818-3. */
interface MpegFrame {
  readonly sampleRate: number;
  readonly samples: number;
  readonly lengthBytes: number;
}

/** Reads the frame header at `offset`; the caller has checked that it is one. */
export function readMpegFrame(head: Uint8Array, offset: number): MpegFrame {
  const versionId = (head[offset + 1]! >> 3) & 3;
  const first = versionId === 3;
  const divisor = first ? 1 : versionId === 2 ? 2 : 4;
  const sampleRate = sampleRatesV1[(head[offset + 2]! >> 2) & 3]! / divisor;
  const kilobits = (first ? bitRatesV1 : bitRatesV2)[head[offset + 2]! >> 4]!;
  const samples = first ? 1152 : 576;
  const padding = (head[offset + 2]! >> 1) & 1;
  const lengthBytes = Math.floor((samples * 125 * kilobits) / sampleRate) + padding;
  return { sampleRate, samples, lengthBytes };
}

function frameLength(head: Uint8Array, offset: number): number {
  const { lengthBytes } = readMpegFrame(head, offset);
  // Free format (bit rate 0) declares no length, so the first header has to suffice.
  return lengthBytes === 0 ? head.length : lengthBytes;
}
