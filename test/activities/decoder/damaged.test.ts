// Files that hold their recording although their structure is unusual, or a little of it damaged.
import test from 'ava';
import { ServiceError } from '../../../models/contract/errors.ts';
import { aDecoder } from '../../support/decoding.ts';
import { encode, tone, toWav } from '../../support/speech.ts';

test('a FLAC after a long tag, and an MP3 of which a little is damaged, are decoded', async (t) => {
  const { decode } = aDecoder(t);
  const flac = await encode(toWav(tone(440, 2)), 'flac');
  const tag = Buffer.alloc(10 + 200 * 128);
  tag.set([0x49, 0x44, 0x33, 4, 0, 0, 0, 1, 72, 0]);
  t.is((await decode(Buffer.concat([tag, flac]))).samples, 32_000);
  const mp3 = await encode(toWav(tone(440, 20)), 'mp3');
  for (let at = 3_000; at + 60 < mp3.length; at += Math.floor(mp3.length / 8))
    mp3.fill(0xaa, at, at + 60);
  const { samples } = await decode(mp3);
  t.true(samples > 18 * 16_000 && samples < 19.75 * 16_000, `${samples}`);
});

test('what is cut a little before its end is truncated, where its length is known', async (t) => {
  const { decode } = aDecoder(t);
  const wav = toWav(tone(440, 55));
  for (const format of ['mp3', 'flac'] as const) {
    const file = await encode(wav, format);
    const cut = file.subarray(0, Math.floor(file.length * (54.4 / 55)));
    const { code } = await t.throwsAsync(decode(cut), { instanceOf: ServiceError }, format);
    t.is(code, 'audio_undecodable', format);
    await t.notThrowsAsync(decode(file.subarray(0, -1)), format);
  }
  const flac = await encode(wav, 'flac');
  const middle = flac.length >> 1;
  flac.fill(0xaa, middle, middle + 2_500);
  const { samples } = await decode(flac);
  t.true(samples > 54 * 16_000 && samples < 54.95 * 16_000, `${samples}`);
});
