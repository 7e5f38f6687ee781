// Rejects a file with a second recording after the first, of which a player would play only the
// first.
import { sniffBytes, sniffContainer } from '../../models/audio/container.ts';
import { topBoxes } from './boxes.ts';
import { undecodable } from './decode-error.ts';
import { maxElementHeadBytes, readElement } from './ebml.ts';
import type { FileWindow } from './file-window.ts';
import type { Container } from '../../models/contract/containers.ts';

/**
 * Otherwise half of a concatenated file would be taken for the whole. MP3, FLAC and Ogg are read to
 * their end whatever they contain.
 * @throws DecodeError
 */
export function rejectSecondRecording(file: FileWindow, container: Container): void {
  const second = container === 'm4a' ? topBoxes(file).movies > 1 : secondDocument(file, container);
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

const ids = { document: 0x1a_45_df_a3, segment: 0x18_53_80_67, cluster: 0x1f_43_b6_75 };

/** Walks the elements, and into segments and clusters of unknown size. */
function secondDocument(file: FileWindow, container: Container): boolean {
  if (container !== 'webm') return false;
  for (let offset = 0; offset + 2 <= file.bytes;) {
    const element = readElement(file.at(offset, maxElementHeadBytes));
    if (!element) return false;
    if (element.id === ids.document && offset > 0) return true;
    const open = element.size === null || element.id === ids.segment;
    if (open && element.id !== ids.segment && element.id !== ids.cluster) return false;
    offset += element.headBytes + (open ? 0 : element.size!);
  }
  return false;
}
