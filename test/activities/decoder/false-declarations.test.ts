// Files whose frames contradict their headers are rejected, or measured while they are decoded.
import test, { type ExecutionContext } from 'ava';
import type { DecodedAudio } from '../../../activities/decoder/decoder.ts';
import { SampleMeter } from '../../../activities/decoder/sample-meter.ts';
import { ServiceError } from '../../../models/contract/errors.ts';
import { aDecoder, type TestDecoder } from '../../support/decoding.ts';
import { flacFile, type FlacFrame } from '../../support/flac.ts';
import { adtsFrames, matroskaFile } from '../../support/matroska.ts';
import { encode, tone, toWav } from '../../support/speech.ts';

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

test('the FLAC writer of these tests writes valid FLAC', async (t) => {
  const { decode } = aDecoder(t, 1);
  for (const channels of [1, 2, 8]) {
    const frames = toneFrames({ rate: 16_000, channels }, { seconds: 30, block: 480 });
    const file = flacFile({ rate: 16_000, channels, samples: 480_000 }, frames);
    const { samples, sourceSamples, sourceChannels } = await decode(file);
    t.deepEqual([samples, sourceSamples, sourceChannels], [480_000, 480_000, channels]);
  }
});

test('a rate that changes within a FLAC file is rejected, whatever was declared', async (t) => {
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

test('a channel count that changes within a FLAC file is rejected', async (t) => {
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

test('rates at which nothing is recorded are rejected in FLAC too', async (t) => {
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

const costly = { rate: 384_000, channels: 8, seconds: 3_590 };

test('a file that costs more than any recording is rejected before it is decoded', async (t) => {
  const { decode } = aDecoder(t, 1);
  const { rate, channels, seconds } = costly;
  const frame = { rate, channels, pcm: { constant: 0, samples: 65_520 } };
  const frames = Array.from({ length: Math.ceil((seconds * rate) / 65_520) }, () => frame);
  const bomb = flacFile({ rate, channels, samples: seconds * rate }, frames);
  t.true(bomb.length < 1_000_000, `${bomb.length} bytes`);
  let given = 0;
  const options = { maxSeconds: 3_600, onPcm: (pcm: Int16Array) => void (given += pcm.length) };
  const error = await t.throwsAsync(decode(bomb, options), { instanceOf: ServiceError });
  t.is(error.code, 'audio_undecodable');
  t.regex(error.message, /8 channels at 384000 Hz, of which 450 seconds/);
  t.is(given, 0);
});

test('one of many hours is too long, whatever a shorter one would cost', async (t) => {
  const { decode } = aDecoder(t, 1);
  const [rate, channels, hours] = [48_000, 2, 5];
  const frame = { rate, channels, pcm: { constant: 0, samples: 48_000 } };
  const samples = hours * 3_600 * rate;
  const flac = flacFile(
    { rate, channels, samples },
    Array.from({ length: 61 }, () => frame),
  );
  const webm = await encode(toWav(tone(440, 61), { channels }), 'webm', ['-c:a', 'libopus']);
  webm.writeDoubleBE(hours * 3_600_000, webm.indexOf(Buffer.from('448988', 'hex')) + 3);
  for (const file of [flac, webm]) {
    const error = await t.throwsAsync(decode(file), { instanceOf: ServiceError });
    t.is(error.code, 'audio_too_long', error.message);
  }
});

test('without a declared length it ends as soon as that is known', (t) => {
  const meter = new SampleMeter({ maxSeconds: 3_600 });
  const shape = { sampleRate: costly.rate, channels: costly.channels, layout: '7.1' };
  for (let second = 0; second < 450; second += 1) meter.countInput(costly.rate, shape);
  t.throws(() => meter.countInput(1, shape), { message: /of which 450 seconds/ });
});

/** Either rejected or decoded to its real length; never shorter, and never charged for a part. */
async function rejectedOrWhole(
  t: ExecutionContext,
  decode: TestDecoder['decode'],
  {
    name,
    file,
    seconds,
  }: { readonly name: string; readonly file: Buffer; readonly seconds: number },
): Promise<void> {
  let given = 0;
  const outcome = await decode(file, { onPcm: (pcm) => void (given += pcm.length) }).catch(
    (error: unknown) => error,
  );
  if (outcome instanceof ServiceError) {
    t.true(outcome.status < 500, `${name}: ${outcome.message}`);
    return;
  }
  const audio = outcome as DecodedAudio;
  const length = audio.sourceSamples / audio.sourceRate;
  t.true(Math.abs(length - seconds) < 0.15, `${name}: ${length} s`);
  t.true(Math.abs(given / 16_000 - length) < 0.01, `${name}: ${given} samples at ${length} s`);
}

test('AAC in Matroska whose rate changes between frames is rejected', async (t) => {
  const { decode } = aDecoder(t, 1);
  const [low, high] = await Promise.all(
    [16_000, 48_000].map(async (rate) => {
      return adtsFrames(await encode(toWav(tone(440, 3, rate), { rate }), 'aac'));
    }),
  );
  const file = matroskaFile({
    ...{ codec: 'A_AAC', sampleRate: 16_000, channels: 1, packetMs: 64 },
    packets: [...low!, ...high!],
  });
  const error = await t.throwsAsync(decode(file), { instanceOf: ServiceError });
  t.is(error.code, 'audio_undecodable', error.message);
});

test('a false rate or channel count of Matroska changes nothing or is rejected', async (t) => {
  const { decode } = aDecoder(t, 1);
  const aac = adtsFrames(await encode(toWav(tone(440, 3)), 'aac'));
  const head = Buffer.from('4f70757348656164010138018038010000000000', 'hex').subarray(0, 19);
  // Code 0 with 20 ms of SILK silence.
  const opus = Array.from({ length: 150 }, () => Buffer.from([0x48, 0x0b, 0xe4, 0xc1, 0x36, 0xec]));
  for (const sampleRate of [1, 16, 8_000, 48_000, 384_000, 4e9]) {
    for (const channels of [1, 2, 255]) {
      const shape = { sampleRate, outputSampleRate: 96_000, channels };
      const name = `${sampleRate} Hz, ${channels} channels`;
      const ofAac = matroskaFile({ ...shape, codec: 'A_AAC', packets: aac, packetMs: 64 });
      await rejectedOrWhole(t, decode, { name: `AAC, ${name}`, file: ofAac, seconds: 3 });
      const ofOpus = matroskaFile({
        ...{ ...shape, codec: 'A_OPUS', codecPrivate: head },
        ...{ packets: opus, packetMs: 20 },
      });
      await rejectedOrWhole(t, decode, { name: `Opus, ${name}`, file: ofOpus, seconds: 3 });
    }
  }
});

test('false timescales and edit lists of an MP4 change nothing or are rejected', async (t) => {
  const { decode } = aDecoder(t, 1);
  const whole = await encode(toWav(tone(440, 3)), 'm4a');
  for (const [box, offset] of [
    ['mvhd', 16],
    ['mvhd', 20],
    ['mdhd', 16],
    ['mdhd', 20],
    ['tkhd', 24],
  ] as const) {
    for (const value of [0, 1, 100, 0x7f_ff_ff_ff]) {
      const file = Buffer.from(whole);
      file.writeUInt32BE(value, file.indexOf(box) + offset);
      await rejectedOrWhole(t, decode, { name: `${box}+${offset} = ${value}`, file, seconds: 3 });
    }
  }
});
