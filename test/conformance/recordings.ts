// Recordings of the suite: spoken sentences, silence, and files at the edges of the limits.
import { joinSamples } from '../../models/audio/samples.ts';
import {
  encode,
  music,
  noise,
  silence,
  speech,
  tone,
  toWav,
  type FileFormat,
} from '../support/speech.ts';

const rate = 16_000;

/** Caches what a generator made. */
function once<T>(make: () => Promise<T>): () => Promise<T> {
  let created: Promise<T> | null = null;
  return () => (created ??= make());
}

const sentence = () =>
  speech('Thank you so much for calling, I am really happy to help you today.');

/** 16 kHz mono PCM16 of one speaker, about four seconds. */
export const spokenSamples = once(sentence);
export const spoken = once(async () => toWav(await spokenSamples()));

/** Two speakers, one after the other. */
export const dialogue = once(async () => {
  const turns = await Promise.all([
    speech('Good morning, how can I help you with your account today?', { voice: 'slt' }),
    speech('I would like to change my address before the end of the month, please.', {
      voice: 'rms',
    }),
    speech('Of course, may I have your name and the number of your contract?', { voice: 'slt' }),
    speech('My name is Robert Miller and the number is four seven one nine.', { voice: 'rms' }),
  ]);
  return toWav(joinSamples(turns.flatMap((turn) => [turn, silence(0.6)])));
});

/** Twelve seconds of one speaker. */
export const longer = once(async () =>
  toWav(
    joinSamples([
      await spokenSamples(),
      silence(0.3),
      await spokenSamples(),
      silence(0.3),
      await spokenSamples(),
    ]),
  ),
);

/** So many samples at 16 kHz: a tone, because digital silence is treated differently. */
export const wavOf = (samples: number): Buffer =>
  toWav(tone(300, 1 + samples / rate).subarray(0, samples));
export const quiet = (seconds: number): Buffer => toWav(silence(seconds));
export const noisy = (seconds: number, seed = 1): Buffer => toWav(noise(seconds, { seed }));
export const melody = (seconds: number): Buffer => toWav(music(seconds));
export const flat = (value: number, seconds: number): Buffer => toWav(silence(seconds).fill(value));
export const stereo = (): Buffer => toWav(tone(300, 1), { channels: 2 });
export const slow = (): Buffer => toWav(tone(300, 1, 8_000), { rate: 8_000 });

export async function encoded(format: FileFormat): Promise<Buffer> {
  return encode(await spoken(), format, format === 'webm' ? ['-c:a', 'libopus'] : []);
}

/** Unsigned 8 bits at 8 kHz: an hour has less than 30 MiB. */
export function coarseWav(samples: number): Buffer {
  const wav = toWav(new Int16Array(0), { rate: 8_000 });
  wav.writeUInt32LE(36 + samples, 4);
  wav.writeUInt32LE(8_000, 28);
  wav.writeUInt16LE(1, 32);
  wav.writeUInt16LE(8, 34);
  wav.writeUInt32LE(samples, 40);
  return Buffer.concat([wav, Buffer.alloc(samples, 128)]);
}

/** Seconds of a tone in a WAV of exactly so many bytes, most of which are a chunk to be skipped. */
export function paddedWav(bytes: number, seconds = 1): Buffer {
  const wav = wavOf(seconds * rate);
  const junk = Buffer.alloc(bytes - wav.length);
  junk.write('JUNK', 'latin1');
  junk.writeUInt32LE(junk.length - 8, 4);
  const padded = Buffer.concat([wav.subarray(0, 36), junk, wav.subarray(36)]);
  padded.writeUInt32LE(bytes - 8, 4);
  return padded;
}

/** A WAV of exactly so many bytes, whose samples are never read. */
export function wavOfBytes(bytes: number): Buffer {
  const wav = Buffer.alloc(bytes);
  toWav(silence(1)).copy(wav, 0, 0, 44);
  wav.writeUInt32LE(bytes - 8, 4);
  wav.writeUInt32LE(bytes - 44, 40);
  return wav;
}
