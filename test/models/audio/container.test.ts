// Containers by magic bytes: real files are recognized, everything else is rejected.
import test from 'ava';
import {
  containerOfRaw,
  sniffBytes,
  sniffContainer,
  tagsEnd,
} from '../../../models/audio/container.ts';
import { createRandom } from '../../support/random.ts';
import { encode, tone, toWav, type FileFormat } from '../../support/speech.ts';

const expected: readonly (readonly [FileFormat, ReturnType<typeof sniffContainer>])[] = [
  ['flac', 'flac'],
  ['mp3', 'mp3'],
  ['m4a', 'm4a'],
  ['ogg', 'ogg'],
  ['opus', 'ogg'],
  ['webm', 'webm'],
];

test('each encoded file is recognized by its first bytes', async (t) => {
  const wav = toWav(tone(440, 1));
  t.is(sniffContainer(wav.subarray(0, sniffBytes)), 'wav');
  for (const [format, container] of expected) {
    const file = await encode(wav, format);
    t.is(sniffContainer(file.subarray(0, sniffBytes)), container, format);
  }
  const bare = await encode(wav, 'mp3', ['-id3v2_version', '0', '-write_xing', '0']);
  t.is(sniffContainer(bare.subarray(0, sniffBytes)), 'mp3');
});

const tag = (bytes: number): Buffer => {
  const size = [21, 14, 7, 0].map((bits) => (bytes >> bits) & 0x7f);
  return Buffer.concat([Buffer.from([0x49, 0x44, 0x33, 4, 0, 0, ...size]), Buffer.alloc(bytes, 1)]);
};

test('several tags may precede MP3 and FLAC', async (t) => {
  const wav = toWav(tone(440, 1));
  for (const container of ['mp3', 'flac'] as const) {
    const sound = await encode(wav, container);
    const file = Buffer.concat([tag(5_000), tag(7_000), sound]);
    t.is(sniffContainer(file.subarray(0, sniffBytes)), container);
    t.is(tagsEnd(Buffer.concat([tag(60_000), tag(0), tag(300_000), sound])) > 360_000, true);
  }
});

test('a stream of MP3 that was captured within a frame is recognized', async (t) => {
  const plain = ['-id3v2_version', '0', '-write_xing', '0'];
  const file = await encode(toWav(tone(440, 5)), 'mp3', plain);
  for (const start of [1, 50, 143, 2_000, 10_001]) {
    t.is(sniffContainer(file.subarray(start, start + sniffBytes)), 'mp3', `from ${start}`);
  }
});

test('BW64, the successor of RF64, is WAV', (t) => {
  const wav = toWav(tone(440, 1));
  wav.write('BW64', 'latin1');
  t.is(sniffContainer(wav), 'wav');
});

test('frames that occur by chance, or after something else, are not a stream', async (t) => {
  const file = await encode(toWav(tone(440, 5)), 'mp3', ['-id3v2_version', '0']);
  t.is(sniffContainer(Buffer.concat([Buffer.alloc(1_441), file])), null);
  t.is(sniffContainer(Buffer.concat([Buffer.from('text '), file.subarray(0, 400)])), null);
  const random = createRandom(3);
  for (let round = 0; round < 50; round += 1) {
    const noise = Uint8Array.from({ length: sniffBytes }, () =>
      random() < 0.3 ? 0xff : random() * 256,
    );
    t.is(sniffContainer(noise), null);
  }
  t.is(sniffContainer(Buffer.from('00fffb9000'.repeat(3_000), 'hex')), null);
});

test('other files are not containers', (t) => {
  const others = {
    empty: '',
    text: 'hello',
    html: '<!doctype html><html>',
    playlist: '#EXTM3U\n#EXTINF:1,\nfile.ts\n',
    concat: 'ffconcat version 1.0\nfile secret.wav\n',
    png: '\x89PNG\r\n\x1a\n',
    zip: 'PK\x03\x04',
    pdf: '%PDF-1.7',
    riff: 'RIFF\0\0\0\0AVI LIST',
    'chunk with tags': 'ID3 \x18\0\0\0ID3\x03\0\0\0\0\0\x0eTIT2\0\0\0\x04\0\0\0abc',
    ones: '\xff\xff\xff\xff\xff\xff',
  };
  for (const [name, text] of Object.entries(others)) {
    t.is(sniffContainer(Buffer.from(text, 'latin1')), null, name);
  }
});

test('raw samples are not a container, a file with a header is', async (t) => {
  const wav = toWav(tone(440, 1));
  t.is(containerOfRaw(wav), 'wav');
  for (const format of ['flac', 'ogg', 'webm', 'm4a'] as const) {
    t.is(containerOfRaw(await encode(wav, format)), format);
  }
  t.is(containerOfRaw(wav.subarray(44)), null);
  // Samples of -1 look like a frame of MPEG audio.
  t.is(containerOfRaw(Buffer.from([0xff, 0xfb, 0x90, 0x00, 0xff, 0xff])), null);
});
