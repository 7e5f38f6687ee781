// The duration and the end that a WebM or Matroska file declares (RFC 9559).
import { maxElementHeadBytes, readElement } from './ebml.ts';
import type { FileBytes, FileEnd } from './file-window.ts';

const ids = { segment: Buffer.from([0x18, 0x53, 0x80, 0x67]), info: [0x15, 0x49, 0xa9, 0x66] };

/** Duration of the Info element; live recordings have none (RFC 9559, 5.1.2). */
export function webmSeconds(head: Buffer): number | null {
  const info = head.indexOf(Buffer.from(ids.info));
  if (info < 0) return null;
  const body = head.subarray(info, info + 512);
  const duration = body.indexOf(Buffer.from([0x44, 0x89]));
  if (duration < 0 || duration + 11 > body.length) return null;
  const size = body[duration + 2]! & 0x7f;
  const ticks =
    size === 8 ? body.readDoubleBE(duration + 3) : size === 4 ? body.readFloatBE(duration + 3) : 0;
  return ticks > 0 ? (ticks * timestampScale(body)) / 1e9 : null;
}

function timestampScale(info: Buffer): number {
  const at = info.indexOf(Buffer.from([0x2a, 0xd7, 0xb1]));
  const size = at < 0 ? 0 : info[at + 3]! & 0x7f;
  const isWhole = size >= 1 && size <= 6 && at + 4 + size <= info.length;
  return (isWhole ? info.readUIntBE(at + 4, size) : 0) || 1_000_000;
}

/** It is there when elements of known sizes fill the segment to its declared end. */
export function webmEnd(head: Buffer, file: FileBytes): FileEnd {
  const at = head.indexOf(ids.segment);
  const segment = at < 0 ? null : readElement(head.subarray(at, at + maxElementHeadBytes));
  if (!segment || segment.size === null) return 'unknown';
  let offset = at + segment.headBytes;
  const end = offset + segment.size;
  if (end > file.bytes) return 'missing';
  while (offset < end) {
    const element = readElement(file.at(offset, maxElementHeadBytes));
    if (!element || element.size === null) return 'unknown';
    offset += element.headBytes + element.size;
  }
  return offset === end ? 'there' : 'unknown';
}
