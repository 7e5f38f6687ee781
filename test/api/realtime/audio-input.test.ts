// The audio of Realtime sessions arrives at 16 kHz, whatever its format and its pieces.
import test from 'ava';
import { createAudioInput, decodeBase64 } from '../../../api/realtime/audio-input.ts';
import { joinSamples } from '../../../models/audio/samples.ts';
import { frequency } from '../../support/frequency.ts';
import { tone } from '../../support/speech.ts';

test('PCM16 at 24 kHz keeps its pitch in pieces of any length', (t) => {
  const input = createAudioInput('pcm16');
  const bytes = new Uint8Array(tone(440, 1, 24_000).buffer);
  const pieces: Int16Array[] = [];
  for (let at = 0; at < bytes.length; at += 962) {
    pieces.push(input.decode(bytes.subarray(at, at + 962)));
  }
  const pcm = joinSamples(pieces);
  t.is(pcm.length, 16_000);
  t.true(Math.abs(frequency(pcm) - 440) < 3);
});

test('a tenth of a second is one in each format, although the filter is late', (t) => {
  t.is(createAudioInput('pcm16').decode(new Uint8Array(4_800)).length, 1_600);
  t.is(createAudioInput('g711_ulaw').decode(new Uint8Array(800)).length, 1_600);
});

test('half a sample is refused, and so is what is not base64', (t) => {
  t.throws(() => createAudioInput('pcm16').decode(new Uint8Array(3)), { instanceOf: TypeError });
  t.is(createAudioInput('g711_alaw').decode(new Uint8Array(801)).length > 1_500, true);
  t.is(decodeBase64('a*=='), null);
  t.is(decodeBase64('abc'), null);
  t.deepEqual([...decodeBase64('AAEC')!], [0, 1, 2]);
});
