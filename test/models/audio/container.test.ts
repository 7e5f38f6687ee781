// Containers by magic bytes: real files are recognized, everything else is rejected.
import test from 'ava';
import { containerOfRaw, sniffBytes, sniffContainer } from '../../../models/audio/container.ts';
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
