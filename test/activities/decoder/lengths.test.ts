// A recording of N samples decodes to N samples in every container, codec, rate and layout.
import test from 'ava';
import { ServiceError } from '../../../models/contract/errors.ts';
import { aDecoder } from '../../support/decoding.ts';
import { createRandom } from '../../support/random.ts';
import { encode, tone, toWav, type FileFormat } from '../../support/speech.ts';

interface Encoding {
  readonly format: FileFormat;
  readonly codec: string;
  readonly rates: readonly number[];
  readonly channels: readonly number[];
  /**
   * The codec's delay and one frame, in samples; 0 for a codec that loses nothing or declares its
   * trims.
   */
  readonly extraSamples: number;
}

const anyRate = [8_000, 11_025, 16_000, 22_050, 32_000, 44_100, 48_000, 96_000, 192_000];
const mp3Rates = [8_000, 11_025, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000];
const aacRates = [8_000, 16_000, 22_050, 44_100, 48_000, 96_000];
/** Input rates of an Opus encoder; the stream itself is always at 48 kHz. */
const opusRates = [8_000, 12_000, 16_000, 24_000, 48_000];
const vorbisRates = [16_000, 22_050, 44_100, 48_000];
const [stereo, surround] = [
  [1, 2],
  [1, 2, 6],
];

const encoding = (
  format: FileFormat,
  codec: string,
  rest: Partial<Omit<Encoding, 'format' | 'codec'>> = {},
): Encoding => ({ format, codec, rates: anyRate, channels: surround, extraSamples: 0, ...rest });

const encodings: readonly Encoding[] = [
  encoding('wav', 'pcm_s16le'),
  encoding('wav', 'pcm_s24le'),
  encoding('wav', 'pcm_f32le'),
  encoding('wav', 'pcm_alaw', { channels: stereo }),
  encoding('flac', 'flac'),
  encoding('ogg', 'flac'),
  encoding('mka', 'flac'),
  encoding('mp4', 'flac'),
  encoding('m4a', 'alac'),
  encoding('mka', 'pcm_s16le'),
  encoding('mov', 'pcm_s16be'),
  encoding('ogg', 'libopus', { rates: opusRates }),
  encoding('webm', 'libopus', { rates: opusRates }),
  encoding('mp4', 'libopus', { rates: opusRates, channels: stereo }),
  encoding('ogg', 'libvorbis', { rates: vorbisRates, channels: stereo }),
  encoding('m4a', 'aac', { rates: aacRates }),
  encoding('mp3', 'libmp3lame', { rates: mp3Rates, channels: stereo, extraSamples: 1_152 }),
  encoding('webm', 'libvorbis', { rates: vorbisRates, channels: stereo, extraSamples: 8_192 }),
  encoding('mka', 'aac', { rates: aacRates, channels: stereo, extraSamples: 2_048 }),
  encoding('mka', 'libmp3lame', { rates: mp3Rates, channels: stereo, extraSamples: 3_456 }),
];

const seed = 20_261_122;
const rounds = 3;
const targetRate = 16_000;

test(`N samples decode to N samples in every encoding (seed ${seed})`, async (t) => {
  const { decode } = aDecoder(t);
  const random = createRandom(seed);
  const pick = (values: readonly number[]): number => {
    return values[Math.floor(random() * values.length)]!;
  };
  for (const { format, codec, rates, channels, extraSamples } of encodings) {
    for (let round = 0; round < rounds; round += 1) {
      const [rate, width] = [pick(rates), pick(channels)];
      const count = Math.floor(rate * (0.3 + 2 * random()));
      const name = `${count} samples at ${rate} Hz, ${width} channels, ${codec} in ${format}`;
      const wav = toWav(tone(440, count / rate, rate), { rate, channels: width });
      const file = await encode(wav, format, ['-c:a', codec, '-strict', '-2']);
      let given = 0;
      const audio = await decode(file, { onPcm: (pcm) => void (given += pcm.length) });
      const seconds = audio.sourceSamples / audio.sourceRate;
      const over = (seconds - count / rate) * targetRate;
      const most = 1 + (extraSamples * targetRate) / rate;
      t.true(over >= -1 && over <= most, `${name}: ${over} output samples more`);
      t.true(Math.abs(given - seconds * targetRate) <= 2, `${name}: ${given} samples given`);
      t.is(audio.sourceChannels, width, name);
      t.is(audio.samples, given, name);
    }
  }
});

test('Opus that declares its microphone’s rate has its exact length at the limits', async (t) => {
  const { decode } = aDecoder(t, 1);
  for (const format of ['webm', 'mp4', 'ogg'] as const) {
    const minute = (samples: number) =>
      encode(toWav(tone(440, samples / targetRate)), format, ['-c:a', 'libopus', '-b:a', '16k']);
    const whole = await decode(await minute(60 * targetRate), { minSeconds: 60 });
    t.is(whole.sourceSamples, 60 * 48_000, format);
    const decoding = decode(await minute(60 * targetRate + 1));
    const { code } = await t.throwsAsync(decoding, { instanceOf: ServiceError }, format);
    t.is(code, 'audio_too_long', format);
  }
});
