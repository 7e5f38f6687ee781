// The boxes at the top level of an MP4 (ISO/IEC 14496-12, 4.2).
import type { FileBytes } from './file-window.ts';

interface TopBoxes {
  /** Descriptions of a recording; a file has one. */
  readonly movies: number;
  readonly fragmented: boolean;
  /** The file ends within a box of samples or of their description. */
  readonly endMissing: boolean;
}

/** Other boxes that pass the end of the file are bytes that something appended. */
const boxesOfSamples = ['mdat', 'moof', 'moov'];

export function topBoxes(file: FileBytes): TopBoxes {
  const found = { movies: 0, fragmented: false, endMissing: false };
  for (let offset = 0; offset + 8 <= file.bytes;) {
    const head = file.at(offset, 16);
    const [size, type] = [head.readUInt32BE(0), head.toString('latin1', 4, 8)];
    if (type === 'moov') found.movies += 1;
    if (type === 'moof') found.fragmented = true;
    const length = size === 1 && head.length === 16 ? Number(head.readBigUInt64BE(8)) : size;
    if (length < 8) break;
    offset += length;
    if (offset > file.bytes) found.endMissing = boxesOfSamples.includes(type);
  }
  return found;
}
