// Reading named files out of a wheel, which is a plain zip file (APPNOTE.TXT 4.3; no zip64).
import fs from 'node:fs';
import { inflateRawSync } from 'node:zlib';
import { SetupError } from './processes.mjs';

const endSignature = 0x06054b50;
const entrySignature = 0x02014b50;
const stored = 0;
const deflated = 8;

/**
 * @param {string[]} paths of wheels
 * @param {string[]} names of the files wanted, as paths inside one of the wheels
 * @returns {Buffer[]} their contents, in the order of `names`
 * @throws SetupError when one is missing
 */
export function readWheelEntries(paths, names) {
  const wheels = paths.map((path) => fs.openSync(path, 'r'));
  try {
    const directories = wheels.map((file) => ({ file, entries: readDirectory(file) }));
    return names.map((name) => {
      const holder = directories.find(({ entries }) => entries.has(name));
      if (!holder) throw new SetupError(`${paths.join(', ')} holds no ${name}`);
      return readEntry(holder.file, holder.entries.get(name));
    });
  } finally {
    for (const file of wheels) fs.closeSync(file);
  }
}

function readDirectory(file) {
  const { size } = fs.fstatSync(file);
  // The end record is 22 bytes, and a comment of up to 64 KiB may follow.
  const tail = readRange(file, Math.max(0, size - 65_557), Math.min(size, 65_557));
  let end = tail.length - 22;
  while (end >= 0 && tail.readUInt32LE(end) !== endSignature) end -= 1;
  if (end < 0) throw new SetupError('a wheel has no end record: the download is broken');
  const directory = readRange(file, tail.readUInt32LE(end + 16), tail.readUInt32LE(end + 12));
  const entries = new Map();
  let at = 0;
  while (at + 46 <= directory.length && directory.readUInt32LE(at) === entrySignature) {
    const nameLength = directory.readUInt16LE(at + 28);
    const name = directory.toString('utf8', at + 46, at + 46 + nameLength);
    entries.set(name, {
      method: directory.readUInt16LE(at + 10),
      compressedBytes: directory.readUInt32LE(at + 20),
      offset: directory.readUInt32LE(at + 42),
    });
    at += 46 + nameLength + directory.readUInt16LE(at + 30) + directory.readUInt16LE(at + 32);
  }
  return entries;
}

function readEntry(file, { method, compressedBytes, offset }) {
  const header = readRange(file, offset, 30);
  const start = offset + 30 + header.readUInt16LE(26) + header.readUInt16LE(28);
  const data = readRange(file, start, compressedBytes);
  if (method === stored) return data;
  if (method === deflated) return inflateRawSync(data);
  throw new SetupError(`a wheel holds a file packed by method ${method}, which is not known`);
}

function readRange(file, start, length) {
  const data = Buffer.alloc(length);
  const read = fs.readSync(file, data, 0, length, start);
  if (read !== length) throw new SetupError('a wheel ends early: the download is broken');
  return data;
}
