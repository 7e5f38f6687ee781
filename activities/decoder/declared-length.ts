// The length or end that a container declares, which distinguishes a truncated upload from a
// complete one.
import { maxFrameBytes, readMpegFrame, tagsEnd } from '../../models/audio/container.ts';
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
/** An ID3v1 tag. */
const endTagBytes = 128;
/** When a larger share is damaged, the rest is no longer the caller's recording. */
export const maxDamagedShare = 0.1;

/** What the container says of its length: read from the file, never decoded. */
export function declaredLength(container: Container, file: FileBytes): DeclaredLength {
  switch (container) {
    case 'flac':
      return flacLength(headOf(file));
    case 'mp3':
      return mp3Length(headOf(file), file);
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
 * Whether a FLAC ends early: its frames are numbered, and its header says how many samples there
 * are. What was lost between them is no matter of its end.
 */
export function isCutFlac(
  declaredSeconds: number,
  { seconds, reachedSeconds }: { readonly seconds: number; readonly reachedSeconds: number },
): boolean {
  return Math.max(seconds, reachedSeconds) < declaredSeconds - toleranceSeconds;
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
function mp3Length(head: Buffer, file: FileBytes): DeclaredLength {
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
  const end = mp3End(bytes, { file, start: tagsEnd(file) + offset });
  return { seconds: (frames * samples) / sampleRate, end };
}

/**
 * Of declared bytes that begin at `start`. Writers that count tags declare more than the sound has,
 * but none more than the file, whose end may have lost a tag.
 */
function mp3End(bytes: number, { file, start }: { file: FileBytes; start: number }): FileEnd {
  if (bytes === 0) return 'unknown';
  if (start + bytes <= file.bytes) return 'there';
  return bytes > file.bytes + endTagBytes + maxFrameBytes ? 'missing' : 'unknown';
}

/** 0 where the bytes end before the number does. */
function uintAt(bytes: Buffer, at: number): number {
  return at + 4 <= bytes.length ? bytes.readUInt32BE(at) : 0;
}
