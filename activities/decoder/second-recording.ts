// Rejects a file with a second recording after the first, of which a player would play only the
// first.
import { sniffBytes, sniffContainer } from '../../models/audio/container.ts';
import { undecodable } from './decode-error.ts';
import type { FileWindow } from './file-window.ts';
import type { Container } from '../../models/contract/containers.ts';

/**
 * Otherwise half of a concatenated file would be taken for the whole. MP3, FLAC and Ogg are read to
 * their end whatever they contain.
 * @throws DecodeError
 */
export function rejectSecondRecording(file: FileWindow, container: Container): void {
  const second = container === 'm4a' ? secondMovie(file) : secondDocument(file, container);
  if (second) throw undecodable(`a second ${container.toUpperCase()} recording follows its first`);
}

/**
 * After its samples a WAV file has text chunks or nothing. @param end position after the samples
 */
export function rejectTrailingAudio(file: FileWindow, end: number): void {
  const next = end + (end & 1);
  for (const offset of new Set([end, next])) {
    const container = sniffContainer(file.at(offset, sniffBytes));
    if (!container) continue;
    throw undecodable(`a second recording (${container.toUpperCase()}) follows its samples`);
  }
}

/** Counts the movie boxes at the top level of the file (ISO/IEC 14496-12, 4.2). */
function secondMovie(file: FileWindow): boolean {
  let movies = 0;
  for (let offset = 0; offset + 8 <= file.bytes;) {
    const head = file.at(offset, 16);
    const size = head.readUInt32BE(0);
    if (head.toString('latin1', 4, 8) === 'moov') movies += 1;
    const length = size === 1 && head.length === 16 ? Number(head.readBigUInt64BE(8)) : size;
    if (length < 8) break;
    offset += length;
  }
  return movies > 1;
}

const ids = { document: 0x1a_45_df_a3, segment: 0x18_53_80_67, cluster: 0x1f_43_b6_75 };

/** Walks the elements of EBML (RFC 8794), and into segments and clusters of unknown size. */
function secondDocument(file: FileWindow, container: Container): boolean {
  if (container !== 'webm') return false;
  for (let offset = 0; offset + 2 <= file.bytes;) {
    const element = readElement(file.at(offset, 12));
    if (!element) return false;
    if (element.id === ids.document && offset > 0) return true;
    const open = element.size === null || element.id === ids.segment;
    if (open && element.id !== ids.segment && element.id !== ids.cluster) return false;
    offset += element.headBytes + (open ? 0 : element.size!);
  }
  return false;
}

/** null when the bytes are not an element; an unknown size is null. */
function readElement(
  head: Buffer,
): { readonly id: number; readonly size: number | null; readonly headBytes: number } | null {
  const idBytes = Math.clz32(head[0] ?? 0) - 23;
  const sizeBytes = Math.clz32(head[idBytes] ?? 0) - 23;
  if (idBytes > 4 || sizeBytes > 8 || head.length < idBytes + sizeBytes) return null;
  const id = head.readUIntBE(0, idBytes);
  const marker = 0xff >> sizeBytes;
  const body = head.subarray(idBytes, idBytes + sizeBytes);
  const unknown = (body[0]! & marker) === marker && body.subarray(1).every((b) => b === 0xff);
  const size = body.subarray(1).reduce((sum, b) => sum * 256 + b, body[0]! & marker);
  return { id, size: unknown ? null : size, headBytes: idBytes + sizeBytes };
}
