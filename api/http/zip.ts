// A ZIP archive (PKWARE APPNOTE 6.3) of files that are in memory one at a time. Own code, because
// all sizes are known before a file is written, which leaves three records of fixed fields.
import { promisify } from 'node:util';
import { crc32, deflateRaw } from 'node:zlib';

export interface ZipEntry {
  readonly name: string;
  readonly content: Buffer;
}

const deflate = promisify<Buffer, Buffer>(deflateRaw);

const localHeader = 0x04034b50;
const centralHeader = 0x02014b50;
const endOfDirectory = 0x06054b50;
/** 2.0: deflate. */
const version = 20;
const utf8Names = 0x0800;
const deflated = 8;
/** 1 January 1980, the first day that the format knows: the files have no time of their own. */
const firstDay = 0x0021;

/** @param entries of less than 4 GiB together */
export async function* zipArchive(entries: AsyncIterable<ZipEntry>): AsyncGenerator<Buffer> {
  const directory: Buffer[] = [];
  let offset = 0;
  for await (const { name, content } of entries) {
    const packed = await deflate(content);
    const path = Buffer.from(name);
    const fields = fieldsOf(content, packed, path);
    const local = Buffer.concat([uint32(localHeader), fields, path]);
    yield local;
    yield packed;
    directory.push(
      Buffer.concat([
        ...[uint32(centralHeader), uint16(version), fields],
        // No comment, first disk, no attributes.
        ...[Buffer.alloc(10), uint32(offset), path],
      ]),
    );
    offset += local.length + packed.length;
  }
  const central = Buffer.concat(directory);
  const count = uint16(directory.length);
  yield central;
  yield Buffer.concat([
    ...[uint32(endOfDirectory), uint32(0), count, count],
    ...[uint32(central.length), uint32(offset), uint16(0)],
  ]);
}

/** What both headers of a file say, from the version that is needed to the length of extras. */
function fieldsOf(content: Buffer, packed: Buffer, path: Buffer): Buffer {
  return Buffer.concat([
    ...[uint16(version), uint16(utf8Names), uint16(deflated), uint16(0), uint16(firstDay)],
    ...[uint32(crc32(content)), uint32(packed.length), uint32(content.length)],
    ...[uint16(path.length), uint16(0)],
  ]);
}

function uint16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16LE(value);
  return bytes;
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}
