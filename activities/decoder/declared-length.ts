// The length or end that a container declares, which distinguishes a truncated upload from a
// complete one.
import { id3Length, readMpegFrame } from '../../models/audio/container.ts';
import type { Container } from '../../models/contract/containers.ts';

export interface DeclaredLength {
  /** The declared duration; null when the container declares none. */
  readonly seconds: number | null;
  /** True when the container marks its end and the mark is missing. */
  readonly endMissing: boolean;
}

const unknown: DeclaredLength = { seconds: null, endMissing: false };

/**
 * @param head the first 64 KiB, @param fileBytes length of the file
 */
export function declaredLength(
  container: Container,
  { head, fileBytes }: { head: Buffer; fileBytes: number },
): DeclaredLength {
  switch (container) {
    case 'flac':
      return flacLength(head);
    case 'mp3':
      return mp3Length(head);
    case 'webm':
      return webmLength(head, fileBytes);
    default:
      return unknown;
  }
}

/**
 * Total samples and rate of STREAMINFO (RFC 9639, 8.2); 0 samples means that the length is unknown.
 */
function flacLength(head: Buffer): DeclaredLength {
  const start = head.indexOf('fLaC');
  if (start < 0 || head.length < start + 26) return unknown;
  const rate = head.readUIntBE(start + 18, 3) >> 4;
  const samples = (head[start + 21]! & 15) * 2 ** 32 + head.readUInt32BE(start + 22);
  return samples === 0 || rate === 0 ? unknown : { ...unknown, seconds: samples / rate };
}

/** Frame count of the Xing, Info or VBRI header in the first frame. */
function mp3Length(head: Buffer): DeclaredLength {
  let offset = head.toString('latin1', 0, 3) === 'ID3' ? 10 + id3Length(head) : 0;
  while (offset + 200 < head.length && !(head[offset] === 0xff && head[offset + 1]! >= 0xe0)) {
    offset += 1;
  }
  if (offset + 200 >= head.length) return unknown;
  const { sampleRate, samples } = readMpegFrame(head, offset);
  const frame = head.subarray(offset, offset + 200);
  const xing = Math.max(frame.indexOf('Xing'), frame.indexOf('Info'));
  const vbri = frame.indexOf('VBRI');
  let frames = 0;
  if (xing > 0 && (frame.readUInt32BE(xing + 4) & 1) === 1) frames = frame.readUInt32BE(xing + 8);
  else if (vbri > 0) frames = frame.readUInt32BE(vbri + 14);
  return frames === 0 ? unknown : { ...unknown, seconds: (frames * samples) / sampleRate };
}

/** Duration of the Info element; live recordings have none (RFC 9559, 5.1.2). */
function webmLength(head: Buffer, fileBytes: number): DeclaredLength {
  const endMissing = segmentEnd(head) > fileBytes;
  const info = head.indexOf(Buffer.from([0x15, 0x49, 0xa9, 0x66]));
  if (info < 0) return { ...unknown, endMissing };
  const body = head.subarray(info, info + 512);
  const duration = body.indexOf(Buffer.from([0x44, 0x89]));
  if (duration < 0 || duration + 11 > body.length) return { ...unknown, endMissing };
  const size = body[duration + 2]! & 0x7f;
  const ticks =
    size === 8 ? body.readDoubleBE(duration + 3) : size === 4 ? body.readFloatBE(duration + 3) : 0;
  const scale = timestampScale(body);
  return { seconds: ticks > 0 ? (ticks * scale) / 1e9 : null, endMissing };
}

function timestampScale(info: Buffer): number {
  const at = info.indexOf(Buffer.from([0x2a, 0xd7, 0xb1]));
  const size = at < 0 ? 0 : info[at + 3]! & 0x7f;
  return size >= 1 && size <= 6 ? info.readUIntBE(at + 4, size) : 1_000_000;
}

/** End of the Segment element, or 0 when its size is unknown. */
function segmentEnd(head: Buffer): number {
  const at = head.indexOf(Buffer.from([0x18, 0x53, 0x80, 0x67]));
  if (at < 0 || at + 12 > head.length) return 0;
  const width = Math.clz32(head[at + 4]!) - 23;
  if (width < 1 || width > 8) return 0;
  const bytes = head.subarray(at + 4, at + 4 + width);
  const marker = 0xff >> width;
  if ((bytes[0]! & marker) === marker && bytes.subarray(1).every((b) => b === 0xff)) return 0;
  const size = bytes.subarray(1).reduce((sum, b) => sum * 256 + b, bytes[0]! & marker);
  return at + 4 + width + size;
}
