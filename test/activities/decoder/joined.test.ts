// Concatenated recordings are decoded to their end or rejected, and never cut short in silence.
import test from 'ava';
import { ServiceError } from '../../../models/contract/errors.ts';
import { aDecoder } from '../../support/decoding.ts';
import { frequency } from '../../support/frequency.ts';
import { noise, encode, tone, toWav, type FileFormat } from '../../support/speech.ts';

const [first, second] = [tone(440, 2), tone(880, 3)];
const seconds = 5;

interface Piece {
  readonly format: FileFormat;
  readonly options: readonly string[];
}

/** 440 Hz, then 880 Hz, each encoded with the given parameters. */
async function joined(pieces: readonly [Piece, Piece]): Promise<Buffer> {
  const tones = [first, second];
  return Buffer.concat(
    await Promise.all(pieces.map((p, i) => encode(toWav(tones[i]!), p.format, p.options))),
  );
}

const vorbis = (...more: string[]): Piece => {
  return { format: 'ogg', options: ['-c:a', 'libvorbis', ...more] };
};
const opus = (...more: string[]): Piece => ({ format: 'opus', options: more });
const flacInOgg: Piece = { format: 'ogg', options: ['-c:a', 'flac'] };

test('a chain of Ogg streams is decoded link by link, each with its own tables', async (t) => {
  const { decode } = aDecoder(t);
  const chains: Readonly<Record<string, readonly [Piece, Piece]>> = {
    'vorbis, same settings': [vorbis(), vorbis()],
    'vorbis, other tables': [vorbis('-q:a', '0'), vorbis('-q:a', '9')],
    opus: [opus(), opus()],
    'opus, other frames': [opus('-frame_duration', '60'), opus('-frame_duration', '10')],
    'flac in ogg': [flacInOgg, flacInOgg],
    'vorbis, then opus': [vorbis('-ar', '48000'), opus()],
    'same serial number': [vorbis('-serial_offset', '7'), vorbis('-serial_offset', '7')],
  };
  for (const [name, pieces] of Object.entries(chains)) {
    const pcm: number[] = [];
    const file = await joined(pieces);
    const audio = await decode(file, { onPcm: (block) => void pcm.push(...block) });
    const length = audio.sourceSamples / audio.sourceRate;
    t.true(Math.abs(length - seconds) < 0.002, `${name}: ${length} s`);
    const samples = Int16Array.from(pcm);
    t.true(Math.abs(frequency(samples.subarray(0, 31_000)) - 440) < 5, name);
    t.true(Math.abs(frequency(samples.subarray(33_000)) - 880) < 5, name);
  }
});

test('chains with other rates or layouts, and multiplexed streams, are rejected', async (t) => {
  const { decode } = aDecoder(t);
  const sideBySide = await encode(toWav(first), 'ogg', [
    ...['-f', 'lavfi', '-i', 'sine=880:duration=3', '-map', '0:a', '-map', '1:a'],
    ...['-c:a', 'libvorbis'],
  ]);
  const files: readonly (readonly [string, Buffer, RegExp])[] = [
    ['rates', await joined([vorbis(), vorbis('-ar', '44100')]), /sample rate/],
    ['layouts', await joined([vorbis(), vorbis('-ac', '2')]), /channels/],
    ['opus, layouts', await joined([opus(), opus('-ac', '2')]), /channels/],
    ['side by side', sideBySide, /side by side/],
  ];
  for (const [name, file, message] of files) {
    const error = await t.throwsAsync(decode(file), { instanceOf: ServiceError }, name);
    t.is(error.code, 'audio_undecodable', name);
    t.regex(error.message, message, name);
  }
});

test('a second file after the first is decoded with it, or the file is rejected', async (t) => {
  const { decode } = aDecoder(t);
  const plain = (format: FileFormat, ...options: string[]): Piece => ({ format, options });
  for (const piece of [plain('mp3'), plain('flac')]) {
    const { sourceSamples, sourceRate } = await decode(await joined([piece, piece]));
    t.true(sourceSamples / sourceRate >= seconds, piece.format);
    t.true(sourceSamples / sourceRate < seconds + 0.2, piece.format);
  }
  for (const piece of [
    plain('wav'),
    plain('m4a'),
    plain('webm'),
    plain('webm', '-live', '1'),
    plain('mka', '-c:a', 'flac'),
  ]) {
    const file = await joined([piece, piece]);
    const error = await t.throwsAsync(decode(file), { instanceOf: ServiceError }, piece.format);
    t.is(error.code, 'audio_undecodable', piece.format);
    t.regex(error.message, /second/, piece.format);
  }
  for (const [one, other] of [
    [plain('wav'), plain('flac')],
    [plain('mp3'), plain('mp3', '-ar', '44100')],
    [plain('mp3'), plain('mp3', '-ac', '2')],
    [plain('flac'), plain('flac', '-ar', '48000')],
  ] as const) {
    const decoding = decode(await joined([one, other]));
    const error = await t.throwsAsync(decoding, { instanceOf: ServiceError }, one.format);
    t.is(error.code, 'audio_undecodable', one.format);
  }
});

test('bytes after a recording that are not audio change nothing', async (t) => {
  const { decode } = aDecoder(t);
  const garbage = Buffer.from(noise(0.5, { seed: 7, amplitude: 32_000 }).buffer);
  for (const format of ['wav', 'flac', 'm4a', 'ogg', 'opus', 'webm'] as const) {
    const whole = await encode(toWav(first), format);
    const { sourceSamples } = await decode(Buffer.concat([whole, garbage]));
    t.is(sourceSamples, (await decode(whole)).sourceSamples, format);
  }
  // Nothing marks the end of an MP3, so whatever looks like a frame is decoded and counted.
  const mp3 = await encode(toWav(first), 'mp3');
  const { sourceSamples } = await decode(Buffer.concat([mp3, garbage]));
  t.true(sourceSamples >= 32_000 && sourceSamples < 36_000, `${sourceSamples}`);
});

test('a WAV that a tag editor has written into is decoded; tags are no recording', async (t) => {
  const { decode } = aDecoder(t);
  for (const spelling of ['ID3 ', 'id3 ']) {
    for (const bytes of [24, 1_100, 20_000, 300_000]) {
      const header = Buffer.alloc(8);
      header.write(spelling, 'latin1');
      header.writeUInt32LE(bytes, 4);
      const body = Buffer.alloc(bytes);
      const size = [21, 14, 7, 0].map((bits) => ((bytes - 10) >> bits) & 0x7f);
      body.set([...Buffer.from('ID3\x04\0\0', 'latin1'), ...size]);
      const file = Buffer.concat([toWav(first), header, body]);
      file.writeUInt32LE(file.length - 8, 4);
      const audio = await decode(file);
      t.is(audio.sourceSamples / audio.sourceRate, 2, `${spelling} of ${bytes} bytes`);
    }
  }
});
