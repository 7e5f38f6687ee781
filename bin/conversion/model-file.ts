// Files of published models, read piece by piece: the largest do not fit into memory.
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { basename } from 'node:path';

/** A published model cannot be converted: what it lacks, and what is expected. */
export class ConversionError extends Error {
  override readonly name = 'ConversionError';
}

export interface ModelFile {
  readonly path: string;
  readonly bytes: number;
  /** @throws ConversionError where the file ends before */
  read(offset: number, length: number): Buffer;
  close(): void;
}

export function openModelFile(path: string): ModelFile {
  const descriptor = openSync(path, 'r');
  const bytes = fstatSync(descriptor).size;
  return {
    path,
    bytes,
    read(offset, length) {
      if (offset + length > bytes) {
        throw new ConversionError(
          `${basename(path)} is truncated: it has ${bytes} bytes, ` +
            `and ends before ${offset + length}`,
        );
      }
      const data = Buffer.alloc(length);
      for (let done = 0; done < length;) {
        done += readSync(descriptor, data, done, Math.min(length - done, 2 ** 30), offset + done);
      }
      return data;
    },
    close: () => closeSync(descriptor),
  };
}

/** Reads a file's fields in order. */
export interface Cursor {
  readonly offset: number;
  unsigned(bytes: 1 | 2 | 4): number;
  take(length: number): Buffer;
  skip(length: number): void;
}

export function readFrom(file: ModelFile): Cursor {
  let offset = 0;
  const take = (length: number): Buffer => {
    const data = file.read(offset, length);
    offset += length;
    return data;
  };
  return {
    get offset() {
      return offset;
    },
    unsigned: (bytes) => take(bytes).readUIntLE(0, bytes),
    take,
    skip(length) {
      // What is skipped has to be there, too.
      if (length > 0) file.read(offset + length - 1, 1);
      offset += length;
    },
  };
}
