// The WAV reader: every encoding gives the same samples, and false headers are rejected.
import test from 'ava';
import fc from 'fast-check';
import { decodeWavBlock, parseWavHeader, WavError } from '../../../models/audio/wav.ts';
import { toFloat, toPcm16 } from '../../../models/audio/waveform.ts';
import { toWav } from '../../support/speech.ts';

test('PCM16 goes through a WAV unchanged, whatever the samples and channels', (t) => {
  const samples = fc.array(fc.integer({ min: -32_768, max: 32_767 }), { minLength: 1 });
  fc.assert(
    fc.property(samples, fc.integer({ min: 1, max: 8 }), (values, channels) => {
      const wav = toWav(Int16Array.from(values), { rate: 44_100, channels });
      const format = parseWavHeader(wav, wav.length);
      const mono = decodeWavBlock(wav.subarray(format.dataOffset), format);
      t.is(format.sampleRate, 44_100);
      t.deepEqual([...toPcm16(mono)], values);
    }),
  );
});

test('chunks before the data are skipped, also of odd length', (t) => {
  const wav = toWav(Int16Array.of(1, 2, 3));
  const extra = Buffer.concat([Buffer.from('LIST\x03\0\0\0abc\0', 'latin1')]);
  const longer = Buffer.concat([wav.subarray(0, 36), extra, wav.subarray(36)]);
  const format = parseWavHeader(longer, longer.length);
  t.is(format.dataOffset, 44 + extra.length);
  t.is(format.dataBytes, 6);
});

test('of a long chunk before the data only its head is read', (t) => {
  const wav = toWav(Int16Array.of(1, 2, 3));
  const junk = Buffer.alloc(8 + (8 << 20));
  junk.write('JUNK');
  junk.writeUInt32LE(8 << 20, 4);
  const longer = Buffer.concat([wav.subarray(0, 36), junk, wav.subarray(36)]);
  let bytesRead = 0;
  const subarray = (start: number, end: number): Buffer => {
    bytesRead += end - start;
    return longer.subarray(start, end);
  };
  t.is(parseWavHeader({ subarray }, longer.length).dataOffset, 44 + junk.length);
  t.true(bytesRead < 100, `${bytesRead}`);
});

test('a size that a writer left open extends to the end of the file', (t) => {
  const wav = toWav(Int16Array.of(1, 2, 3));
  // FFmpeg and sox, arecord, GStreamer, and what is rounded to a frame or leaves room for a header.
  for (const size of [0xff_ff_ff_ff, 0, 0x80_00_00_00, 0x7f_ff_00_00, 0xff_ff_ff_db]) {
    wav.writeUInt32LE(size, 40);
    t.is(parseWavHeader(wav, wav.length).dataBytes, null, size.toString(16));
  }
  wav.writeUInt32LE(0x7f_fe_ff_ff, 40);
  t.is(parseWavHeader(wav, wav.length).dataBytes, 0x7f_fe_ff_ff);
});

test('samples of 20 bits are the upper ones of three bytes', (t) => {
  const wav = toWav(Int16Array.of(0));
  wav.writeUInt16LE(3, 32);
  wav.writeUInt16LE(20, 34);
  const format = parseWavHeader(wav, wav.length);
  t.is(decodeWavBlock(Buffer.from([0, 0, 0x40]), format)[0], 0.5);
});

test('24-bit, 32-bit, float and 8-bit samples have the same scale', (t) => {
  const base = { channels: 1, sampleRate: 8_000, dataOffset: 0, dataBytes: null };
  const half = (bits: number, encoding: 'pcm' | 'float', bytes: Buffer): number =>
    decodeWavBlock(bytes, { ...base, encoding, bitsPerSample: bits, blockAlign: bits / 8 })[0]!;
  t.is(half(24, 'pcm', Buffer.from([0, 0, 0x40])), 0.5);
  t.is(half(24, 'pcm', Buffer.from([0, 0, 0xc0])), -0.5);
  t.is(half(32, 'pcm', Buffer.from([0, 0, 0, 0x40])), 0.5);
  t.is(half(8, 'pcm', Buffer.from([192])), 0.5);
  const float = Buffer.alloc(4);
  float.writeFloatLE(0.5);
  t.is(half(32, 'float', float), 0.5);
});

test('NaN samples, 0 channels and impossible sizes are errors with a reason', (t) => {
  const float = Buffer.alloc(4);
  float.writeFloatLE(Number.NaN);
  const format = { channels: 1, sampleRate: 8_000, dataOffset: 0, dataBytes: null };
  t.throws(
    () => decodeWavBlock(float, { ...format, encoding: 'float', bitsPerSample: 32, blockAlign: 4 }),
    { instanceOf: WavError, message: /NaN/ },
  );
  for (const [offset, value] of [
    [22, 0],
    [34, 40],
    [32, 7],
  ] as const) {
    const wav = toWav(Int16Array.of(1));
    wav.writeUInt16LE(value, offset);
    t.throws(() => parseWavHeader(wav, wav.length), { instanceOf: WavError });
  }
});

test('float and PCM16 are inverse', (t) => {
  const pcm = Int16Array.of(-32_768, -1, 0, 1, 32_767);
  t.deepEqual(toPcm16(toFloat(pcm)), pcm);
});
