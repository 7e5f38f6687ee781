// The last word of an API between the frames of a client, wherever the network cuts them.
import test from 'ava';
import fc from 'fast-check';
import { ClientFrames } from '../../../api/streams/parting.ts';

const word = 'last-word';
const ping = Buffer.from([0x89, 0x80 | word.length, 0, 0, 0, 0, ...Buffer.from(word)]);

/** A frame with a length in the form that its payload needs, or in a longer one. */
function frameOf({ bytes, masked }: { readonly bytes: number; readonly masked: boolean }): Buffer {
  const mask = masked ? Buffer.alloc(4, 7) : Buffer.alloc(0);
  const bit = masked ? 0x80 : 0;
  const long = Buffer.alloc(8);
  long.writeBigUInt64BE(BigInt(bytes));
  const length =
    bytes < 126
      ? Buffer.from([bit | bytes])
      : bytes < 65_536
        ? Buffer.from([bit | 126, bytes >> 8, bytes & 255])
        : Buffer.concat([Buffer.from([bit | 127]), long]);
  return Buffer.concat([Buffer.from([0x82]), length, mask, Buffer.alloc(bytes, 0x89)]);
}

const frame = fc.record({
  bytes: fc.oneof(
    fc.integer({ min: 0, max: 130 }),
    fc.constantFrom(0, 125, 126, 65_535, 65_536, 70_000),
  ),
  masked: fc.boolean(),
});

/** What comes out while these blocks go in, of which the word follows the first ones. */
async function through(blocks: readonly Buffer[], before: number): Promise<Buffer> {
  const frames = new ClientFrames(word);
  const out: Buffer[] = [];
  frames.on('data', (data: Buffer) => void out.push(data));
  for (const [i, block] of blocks.entries()) {
    if (i === before) frames.part();
    await new Promise<void>((written) => frames.write(block, () => written()));
  }
  if (before >= blocks.length) frames.part();
  await new Promise((soon) => setImmediate(soon));
  return Buffer.concat(out);
}

test('it comes once, at the first end of a frame, and nothing else changes', async (t) => {
  const cuts = fc.array(fc.integer({ min: 0, max: 150_000 }), { maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(
      fc.array(frame, { maxLength: 5 }),
      cuts,
      fc.nat(14),
      async (parts, at, before) => {
        const encoded = parts.map(frameOf);
        const all = Buffer.concat(encoded);
        const ends = [...new Set(at.filter((cut) => cut < all.length))].toSorted((a, b) => a - b);
        const blocks = [...ends, all.length].map((end, i) => all.subarray(ends[i - 1] ?? 0, end));
        const asked = blocks.slice(0, before).reduce((sum, { length }) => sum + length, 0);
        const borders = encoded.map((_, i) => Buffer.concat(encoded.slice(0, i + 1)).length);
        const said = [0, ...borders].find((border) => border >= asked)!;
        const expected = Buffer.concat([all.subarray(0, said), ping, all.subarray(said)]);
        t.deepEqual(await through(blocks, before), expected);
      },
    ),
    { numRuns: 200 },
  );
});

test('a client that has closed its side hears no more, and nothing breaks', async (t) => {
  const frames = new ClientFrames(word);
  frames.end();
  frames.resume();
  await new Promise((closed) => frames.once('close', closed));
  t.notThrows(() => frames.part());
});
