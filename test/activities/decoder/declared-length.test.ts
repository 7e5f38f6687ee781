// Lengths that headers declare: as encoders write them, and none where they do not fit.
import test from 'ava';
import fc from 'fast-check';
import { declaredLength, leastSeconds } from '../../../activities/decoder/declared-length.ts';
import type { FileBytes } from '../../../activities/decoder/file-window.ts';

/** A first MP3 frame at 44.1 kHz with a header of 100 frames. */
function mp3Head(mark: string, at: number, framesAt: number): Buffer {
  const head = Buffer.alloc(400);
  head.set([0xff, 0xfb, 0x90, 0]);
  head.write(mark, at, 'latin1');
  head.writeUInt32BE(1, at + 4);
  head.writeUInt32BE(100, at + framesAt);
  return head;
}

/** @param bytes length of a file that begins so */
const fileOf = (head: Buffer, bytes = head.length): FileBytes => ({
  bytes,
  at: (offset, length) => head.subarray(offset, offset + length),
  subarray: (start, end) => head.subarray(start, end),
});

const secondsOfMp3 = (head: Buffer): number | null => declaredLength('mp3', fileOf(head)).seconds;

test('an MP3 declares its frames at the start of the first one', (t) => {
  const seconds = (100 * 1_152) / 44_100;
  t.is(secondsOfMp3(mp3Head('Xing', 36, 8)), seconds);
  t.is(secondsOfMp3(mp3Head('VBRI', 36, 14)), seconds);
  for (const at of [190, 195, 196]) {
    t.is(secondsOfMp3(mp3Head('Xing', at, 8)), null, `Xing at ${at}`);
    t.is(secondsOfMp3(mp3Head('VBRI', at, 14)), null, `VBRI at ${at}`);
  }
});

/** Marks of headers among other bytes, and heads that end anywhere. */
const parts = fc.array(
  fc.oneof(
    fc.uint8Array({ maxLength: 60 }),
    fc
      .constantFrom(
        ...[
          'fffb9000',
          '58696e67',
          '56425249',
          '664c6143',
          '18538067',
          '1549a966',
          '2ad7b1',
          '4489',
        ],
      )
      .map((hex) => Buffer.from(hex, 'hex')),
  ),
  { maxLength: 30 },
);

test('property: whatever a file begins with, its length is known or not', (t) => {
  fc.assert(
    fc.property(fc.constantFrom('mp3', 'webm', 'flac'), parts, (container, all) => {
      const { seconds } = declaredLength(container, fileOf(Buffer.concat(all), 1e6));
      t.true(seconds === null || typeof seconds === 'number');
    }),
    { numRuns: 3_000 },
  );
});

/** EBML sizes of one byte. */
const element = (id: string, body: Buffer): Buffer =>
  Buffer.concat([Buffer.from(id, 'hex'), Buffer.from([0x80 | body.length]), body]);

test('a WebM declares its duration, and the end of its segment', (t) => {
  const ticks = Buffer.alloc(8);
  ticks.writeDoubleBE(2_500);
  const info = element('1549a966', element('4489', ticks));
  const head = Buffer.concat([element('1a45dfa3', Buffer.alloc(0)), element('18538067', info)]);
  const of = (bytes: number) => declaredLength('webm', fileOf(head, bytes));
  t.deepEqual(of(head.length), { seconds: 2.5, end: 'there' });
  t.deepEqual(of(head.length - 1), { seconds: 2.5, end: 'missing' });
  const open = Buffer.concat([Buffer.from('18538067ff', 'hex'), info]);
  t.is(declaredLength('webm', fileOf(open)).end, 'unknown', 'of unknown size');
  const zeroed = Buffer.concat([head.subarray(0, -13), Buffer.alloc(13)]);
  t.is(declaredLength('webm', fileOf(zeroed)).end, 'unknown', 'of no elements');
});

test('an MP3 that has all of its declared bytes may have lost a tenth of its frames', (t) => {
  const whole = mp3Head('Xing', 36, 8);
  whole.writeUInt32BE(3, 40);
  whole.writeUInt32BE(400, 48);
  const tag = Buffer.from('ID3\x04\0\0\0\0\0\x05-----', 'latin1');
  for (const [file, end] of [
    [whole, 'there'],
    [Buffer.concat([tag, tag, whole]), 'there'],
    [Buffer.concat([tag, whole.subarray(0, -1)]), 'unknown'],
  ] as const) {
    t.is(declaredLength('mp3', fileOf(file)).end, end, `${file.length} bytes`);
  }
  const container = 'mp3';
  t.true(leastSeconds(100, { end: 'there', container }) < 90);
  t.true(leastSeconds(100, { end: 'unknown', container }) > 98);
});

test('an MP4 ends where its samples do, whatever follows them', (t) => {
  const box = (type: string, size: number): Buffer => {
    const bytes = Buffer.alloc(size);
    bytes.writeUInt32BE(size);
    bytes.write(type, 4);
    return bytes;
  };
  const whole = Buffer.concat([box('ftyp', 16), box('moov', 40), box('moof', 24), box('mdat', 99)]);
  const endOf = (file: Buffer) => declaredLength('m4a', fileOf(file)).end;
  t.is(endOf(whole), 'unknown');
  t.is(endOf(whole.subarray(0, -1)), 'missing');
  t.is(endOf(whole.subarray(0, -100)), 'missing');
  t.is(endOf(Buffer.concat([whole, Buffer.from('bytes that something appended')])), 'unknown');
});
