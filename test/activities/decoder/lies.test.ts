// Files whose frames say something else than their headers: refused, or counted as they decode.
import test from 'ava';
import { ServiceError } from '../../../models/errors.ts';
import { aDecoder } from '../../support/decoding.ts';
import { flacFile, type FlacFrame } from '../../support/flac.ts';
import { tone } from '../../support/speech.ts';

/** Consecutive frames of a tone. */
function toneFrames(
  { rate, channels = 1 }: { readonly rate: number; readonly channels?: number },
  { seconds, block }: { readonly seconds: number; readonly block: number },
): FlacFrame[] {
  const samples = tone(440, seconds, rate);
  const frames: FlacFrame[] = [];
  for (let at = 0; at < samples.length; at += block) {
    frames.push({ rate, channels, pcm: samples.subarray(at, at + block) });
  }
  return frames;
}

test('the FLAC writer of these tests writes FLAC', async (t) => {
  const { decode } = aDecoder(t, 1);
  for (const channels of [1, 2, 8]) {
    const frames = toneFrames({ rate: 16_000, channels }, { seconds: 30, block: 480 });
    const file = flacFile({ rate: 16_000, channels, samples: 480_000 }, frames);
    const { samples, sourceSamples, sourceChannels } = await decode(file);
    t.deepEqual([samples, sourceSamples, sourceChannels], [480_000, 480_000, channels]);
  }
});

test('a rate that changes inside a FLAC is refused, however it was declared', async (t) => {
  const { decode } = aDecoder(t, 1);
  for (const [first, declared] of [
    [16, 16],
    [16, 16_000],
    [8_000, 8_000],
    [8_000, 16_000],
    [48_000, 16_000],
  ] as const) {
    const frames = [
      { rate: first, channels: 1, pcm: { constant: 0, samples: 16 } },
      ...toneFrames({ rate: 16_000 }, { seconds: 58, block: 480 }),
    ];
    const file = flacFile({ rate: declared, channels: 1, samples: 0 }, frames);
    const error = await t.throwsAsync(decode(file), { instanceOf: ServiceError });
    t.is(error.code, 'audio_undecodable', `${first} Hz, declared ${declared} Hz`);
    t.regex(error.message, /sample rate/);
  }
});

test('a number of channels that changes inside a FLAC is refused', async (t) => {
  const { decode } = aDecoder(t, 1);
  for (const [first, then] of [
    [1, 2],
    [2, 1],
    [2, 8],
  ] as const) {
    const frames = [
      ...toneFrames({ rate: 16_000, channels: first }, { seconds: 1, block: 480 }),
      ...toneFrames({ rate: 16_000, channels: then }, { seconds: 1, block: 480 }),
    ];
    const file = flacFile({ rate: 16_000, channels: first, samples: 0 }, frames);
    const error = await t.throwsAsync(decode(file), { instanceOf: ServiceError });
    t.is(error.code, 'audio_undecodable', `${first} to ${then}`);
    t.regex(error.message, /channels|layout/);
  }
});

test('rates that nobody records at are refused in FLAC too', async (t) => {
  const { decode } = aDecoder(t, 1);
  for (const rate of [16, 3_999, 400_000, 655_350]) {
    const frames = Array.from({ length: 50 }, () => {
      return { rate, channels: 1, pcm: { constant: 0, samples: 4_096 } };
    });
    const file = flacFile({ rate, channels: 1, samples: 0 }, frames);
    const error = await t.throwsAsync(decode(file), { instanceOf: ServiceError });
    t.is(error.code, 'audio_undecodable');
    t.regex(error.message, /4,000 to 384,000 Hz/);
  }
});

test('a file that costs more than any recording ends as soon as that is known', async (t) => {
  const { decode } = aDecoder(t, 1);
  const seconds = 3_590;
  const frame = { rate: 384_000, channels: 8, pcm: { constant: 0, samples: 65_520 } };
  const frames = Array.from({ length: Math.ceil((seconds * 384_000) / 65_520) }, () => frame);
  const shape = { rate: 384_000, channels: 8 };
  for (const declared of [seconds * 384_000, 0]) {
    const bomb = flacFile({ ...shape, samples: declared }, frames);
    t.true(bomb.length < 1_000_000, `${bomb.length} bytes`);
    let given = 0;
    const options = { maxSeconds: 3_600, onPcm: (pcm: Int16Array) => void (given += pcm.length) };
    const error = await t.throwsAsync(decode(bomb, options), { instanceOf: ServiceError });
    t.is(error.code, 'audio_undecodable');
    t.regex(error.message, /8 channels at 384000 Hz, of which 450 seconds/);
    // Declared, it is not even begun.
    t.true(given <= (declared === 0 ? 451 * 16_000 : 0), `${given} samples`);
  }
});
