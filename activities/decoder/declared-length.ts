// The length or end that a container declares, which distinguishes a truncated upload from a
// complete one.
import { readMpegFrame, tagsEnd } from '../../models/audio/container.ts';
import type { Container } from '../../models/contract/containers.ts';
import { topBoxes } from './boxes.ts';
import type { FileBytes, FileEnd } from './file-window.ts';
import { webmEnd, webmSeconds } from './webm-length.ts';

export interface DeclaredLength {
  /** The declared duration; null when the container declares none. */
  readonly seconds: number | null;
  readonly end: FileEnd;
}

const unknownLength: DeclaredLength = { seconds: null, end: 'unknown' };

const headBytes = 1 << 16;
/** Tolerates encoder delay, padding, and rounding of declared durations. */
const toleranceSeconds = 0.3;
/** When a larger share is damaged, the rest is no longer the caller's recording. */
export const maxDamagedShare = 0.1;

export function declaredLength(container: Container, file: FileBytes): DeclaredLength {
  switch (container) {
    case 'flac':
      return flacLength(headOf(file));
    case 'mp3':
      return mp3Length(headOf(file), file.bytes - tagsEnd(file));
    case 'webm':
      return webmLength(file);
    case 'm4a':
      return { ...unknownLength, end: topBoxes(file).endMissing ? 'missing' : 'unknown' };
    default:
      return unknownLength;
  }
}

function webmLength(file: FileBytes): DeclaredLength {
  // Walking the file moves its window.
  const head = Buffer.from(file.at(0, headBytes));
  return { seconds: webmSeconds(head), end: webmEnd(head, file) };
}

/** The first bytes after the tags. */
function headOf(file: FileBytes): Buffer {
  return file.at(tagsEnd(file), headBytes);
}

/**
 * The seconds below which a recording is truncated. One that reaches its end is not, but has lost
 * what was damaged: none of a WebM's time, since silence stands for it.
 */
export function leastSeconds(
  seconds: number,
  { end, container }: { readonly end: FileEnd; readonly container: Container },
): number {
  if (end !== 'there') return seconds * 0.99 - toleranceSeconds;
  return container === 'webm' ? 0 : seconds * (1 - maxDamagedShare) - toleranceSeconds;
}

/**
 * Total samples and rate of STREAMINFO (RFC 9639, 8.2); 0 samples means that the length is unknown.
 */
function flacLength(head: Buffer): DeclaredLength {
  const start = head.indexOf('fLaC');
  if (start < 0 || head.length < start + 26) return unknownLength;
  const rate = head.readUIntBE(start + 18, 3) >> 4;
  const samples = (head[start + 21]! & 15) * 2 ** 32 + head.readUInt32BE(start + 22);
  return samples === 0 || rate === 0
    ? unknownLength
    : { ...unknownLength, seconds: samples / rate };
}

/** Frames and bytes of the Xing, Info or VBRI header in the first frame. */
function mp3Length(head: Buffer, soundBytes: number): DeclaredLength {
  let offset = 0;
  while (offset + 200 < head.length && !(head[offset] === 0xff && head[offset + 1]! >= 0xe0)) {
    offset += 1;
  }
  if (offset + 200 >= head.length) return unknownLength;
  const { sampleRate, samples } = readMpegFrame(head, offset);
  const frame = head.subarray(offset, offset + 200);
  const xing = Math.max(frame.indexOf('Xing'), frame.indexOf('Info'));
  const vbri = frame.indexOf('VBRI');
  let [frames, bytes] = [0, 0];
  const fields = xing > 0 ? uintAt(frame, xing + 4) : 0;
  if ((fields & 1) === 1) {
    frames = uintAt(frame, xing + 8);
    bytes = (fields & 2) === 2 ? uintAt(frame, xing + 12) : 0;
  } else if (vbri > 0) {
    [bytes, frames] = [uintAt(frame, vbri + 10), uintAt(frame, vbri + 14)];
  }
  if (frames === 0) return unknownLength;
  const end = bytes > 0 && offset + bytes <= soundBytes ? 'there' : 'unknown';
  return { seconds: (frames * samples) / sampleRate, end };
}

/** 0 where the bytes end before the number does. */
function uintAt(bytes: Buffer, at: number): number {
  return at + 4 <= bytes.length ? bytes.readUInt32BE(at) : 0;
}
