// Random access to a file in blocks, for code that walks the structure of a container.
import { readSync } from 'node:fs';
import type { ByteSource } from '../../models/audio/byte-source.ts';

const blockBytes = 1 << 18;

/** What walking a container needs of it. */
export type FileBytes = Pick<FileWindow, 'at' | 'bytes' | 'subarray'>;

/** Whether a file reaches the end that its container declares or marks. */
export type FileEnd = 'there' | 'missing' | 'unknown';

export class FileWindow implements ByteSource {
  /** Length of the file. */
  readonly bytes: number;
  readonly #fd: number;
  #block = Buffer.alloc(0);
  #start = 0;

  constructor(fd: number, bytes: number) {
    this.#fd = fd;
    this.bytes = bytes;
  }

  /** Up to `length` bytes at `offset`, fewer at the end of the file; valid until the next call. */
  at(offset: number, length: number): Buffer {
    const end = Math.min(offset + length, this.bytes);
    if (offset < this.#start || end > this.#start + this.#block.length) {
      const block = Buffer.alloc(Math.max(0, Math.min(blockBytes, this.bytes - offset)));
      const read = block.length === 0 ? 0 : readSync(this.#fd, block, 0, block.length, offset);
      this.#block = block.subarray(0, read);
      this.#start = offset;
    }
    return this.#block.subarray(offset - this.#start, Math.max(offset, end) - this.#start);
  }

  /** Up to the bytes `[start, end)`, as `at`. */
  subarray(start: number, end: number): Buffer {
    return this.at(start, end - start);
  }

  /** The next position of `pattern`, or -1. */
  find(pattern: Buffer, from: number): number {
    for (let offset = from; offset + pattern.length <= this.bytes;) {
      const block = this.at(offset, blockBytes);
      const found = block.indexOf(pattern);
      if (found >= 0) return offset + found;
      offset += Math.max(1, block.length - pattern.length + 1);
    }
    return -1;
  }
}
