// Checksums of decoded samples, kept beside them: the samples are read in ranges, for which the
// store has no checksums.
import { crc32 } from 'node:zlib';
import { ObjectMissing, type ObjectStore } from '../db/objects/object-store.ts';
import { getJson, type DocumentFormat } from '../db/stored-json.ts';
import { ObjectDamaged } from '../db/objects/object-reads.ts';
import { samplesOf, type ReadSamples } from '../models/audio/samples.ts';

/** Two seconds of audio: a range of half a minute reads at most that much more at either end. */
const blockBytes = 2 ** 16;
const bytesPerSample = 2;

export interface PcmSums {
  readonly bytes: number;
  /** CRC32 of each block; the last may be shorter. */
  readonly blocks: readonly number[];
}

/** Checked by hand rather than by a schema, because an hour has two thousand sums. */
export const sumsFormat: DocumentFormat<PcmSums> = {
  name: 'list of checksums',
  version: 1,
  check: (given) => {
    const { bytes, blocks } = given as Partial<PcmSums>;
    const whole = Number.isInteger(bytes) && blocks?.every(Number.isInteger);
    if (!whole) throw new TypeError('bytes and blocks must be whole numbers');
    return given as PcmSums;
  },
};

export interface SumCollector {
  add(bytes: Uint8Array): void;
  end(): PcmSums;
}

export function collectSums(): SumCollector {
  const blocks: number[] = [];
  let total = 0;
  return {
    add(bytes) {
      for (let offset = 0; offset < bytes.length;) {
        const held = total % blockBytes;
        const taken = bytes.subarray(offset, offset + blockBytes - held);
        const before = held === 0 ? 0 : blocks.pop()!;
        blocks.push(crc32(taken, before));
        offset += taken.length;
        total += taken.length;
      }
    },
    end: () => ({ bytes: total, blocks }),
  };
}

/** The key of a recording's checksums. */
export function sumsKey(pcmKey: string): string {
  return `${pcmKey}.crc32`;
}

/** Reads a decoded recording; its checksums are read once for all ranges. @throws ObjectDamaged */
export function openSamples(objects: ObjectStore, key: string): ReadSamples {
  let sums: Promise<PcmSums | null> | null = null;
  return async ({ startSample, endSample }) => {
    sums ??= readSums(objects, key);
    const [start, end] = [startSample * bytesPerSample, endSample * bytesPerSample];
    const bytes = await readBytes(objects, key, { start, end, sums: await sums });
    return samplesOf(bytes);
  };
}

/** null for a recording that an earlier version stored without checksums. */
async function readSums(objects: ObjectStore, key: string): Promise<PcmSums | null> {
  try {
    return await getJson(objects, sumsKey(key), sumsFormat);
  } catch (error) {
    if (error instanceof ObjectMissing) return null;
    throw error;
  }
}

interface CheckedRange {
  readonly start: number;
  readonly end: number;
  readonly sums: PcmSums | null;
}

async function readBytes(
  objects: ObjectStore,
  key: string,
  { start, end, sums }: CheckedRange,
): Promise<Buffer> {
  if (!sums) return objects.getRange(key, start, end);
  const first = Math.floor(start / blockBytes);
  const from = first * blockBytes;
  const to = Math.min(Math.ceil(end / blockBytes) * blockBytes, sums.bytes);
  const bytes = await objects.getRange(key, from, to);
  for (let offset = 0; offset < bytes.length; offset += blockBytes) {
    const block = bytes.subarray(offset, offset + blockBytes);
    if (crc32(block) === sums.blocks[first + offset / blockBytes]) continue;
    throw new ObjectDamaged('a range with a wrong checksum');
  }
  return bytes.subarray(start - from, end - from);
}
