// Files that hold their recording although their structure is unusual, or a little of it damaged.
import test from 'ava';
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
