// The audio of Realtime sessions arrives at 16 kHz, whatever its format and its pieces.
import test from 'ava';
import { createAudioInput, decodeBase64 } from '../../../api/realtime/audio-input.ts';
import { joinSamples } from '../../../models/audio/samples.ts';
import { frequency } from '../../support/frequency.ts';
import { tone } from '../../support/speech.ts';

test('PCM16 at 24 kHz keeps its pitch in pieces of any length', async (t) => {
  const input = createAudioInput('pcm16');
  const bytes = new Uint8Array(tone(440, 1, 24_000).buffer);
  const pieces: Int16Array[] = [];
  for (let at = 0; at < bytes.length; at += 962) {
    pieces.push(await input.decode(bytes.subarray(at, at + 962)));
  }
  const pcm = joinSamples(pieces);
  t.is(pcm.length, 16_000);
  t.true(Math.abs(frequency(pcm) - 440) < 3);
});

test('a tenth of a second is one in each format, although the filter is late', async (t) => {
  t.is((await createAudioInput('pcm16').decode(new Uint8Array(4_800))).length, 1_600);
  t.is((await createAudioInput('g711_ulaw').decode(new Uint8Array(800))).length, 1_600);
});

test('a long block is the same sound as its pieces, decoded in turns of the loop', async (t) => {
  for (const format of ['pcm16', 'g711_alaw'] as const) {
    const bytes = Uint8Array.from({ length: 100_002 }, (_, i) => (i * i) >> 5);
    const [whole, inPieces] = [createAudioInput(format), createAudioInput(format)];
    const decoding = whole.decode(bytes);
    t.true(decoding instanceof Promise, format);
    const pieces: Int16Array[] = [];
    for (let at = 0; at < bytes.length; at += 7_000) {
      pieces.push(await inPieces.decode(bytes.subarray(at, at + 7_000)));
    }
    t.deepEqual(await decoding, joinSamples(pieces));
  }
});

test('half a sample is refused, and so is what is not base64', async (t) => {
  t.throws(() => createAudioInput('pcm16').decode(new Uint8Array(3)), { instanceOf: TypeError });
  t.true((await createAudioInput('g711_alaw').decode(new Uint8Array(801))).length > 1_500);
  t.is(decodeBase64('a*=='), null);
  t.is(decodeBase64('abc'), null);
  t.deepEqual([...decodeBase64('AAEC')!], [0, 1, 2]);
});
