// Sounds for tests, generated when needed: spoken text, tones, noise, silence, and their files.
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createResampler } from '../../models/audio/resample.ts';
import { joinSamples } from '../../models/audio/samples.ts';
import { decodeWavBlock, parseWavHeader } from '../../models/audio/wav.ts';
import { toPcm16 } from '../../models/audio/waveform.ts';
import { clipSeconds } from '../../models/contract/clip.ts';

const run = promisify(execFile);
export const sampleRate = 16_000;

export type FileFormat =
  'wav' | 'flac' | 'mp3' | 'aac' | 'm4a' | 'mp4' | 'mov' | 'ogg' | 'opus' | 'webm' | 'mka';

/** English text spoken by flite. @returns 16 kHz mono PCM16 */
export async function speech(text: string, { voice = 'slt' } = {}): Promise<Int16Array> {
  return spokenBy('flite', (path) => ['-voice', voice, '-t', text, '-o', path]);
}

/** Text in any language spoken by espeak-ng. @returns 16 kHz mono PCM16 */
export async function speechIn(language: string, text: string): Promise<Int16Array> {
  return spokenBy('espeak-ng', (path) => ['-v', language, '-s', '140', '-w', path, text]);
}

async function spokenBy(
  program: string,
  argumentsFor: (path: string) => readonly string[],
): Promise<Int16Array> {
  return withDirectory(async (directory) => {
    const path = join(directory, 'speech.wav');
    await run(program, argumentsFor(path));
    const file = await readFile(path);
    const format = parseWavHeader(file, file.length);
    const mono = decodeWavBlock(file.subarray(format.dataOffset), format);
    const resampler = createResampler(format.sampleRate);
    return joinSamples([toPcm16(resampler.convert(mono)), toPcm16(resampler.flush())]);
  });
}

export function silence(seconds: number): Int16Array {
  return new Int16Array(Math.round(seconds * sampleRate));
}

/** With silence behind: longer than a clip, so that it takes several activities. */
export function beyondClip(samples: Int16Array, longest = clipSeconds): Int16Array {
  const missing = longest + 1 - samples.length / sampleRate;
  return joinSamples([samples, silence(Math.max(0, missing))]);
}

export function tone(hz: number, seconds: number, rate = sampleRate): Int16Array {
  const samples = Math.round(seconds * rate);
  return Int16Array.from(
    { length: samples },
    (_, i) => 8_000 * Math.sin((2 * Math.PI * hz * i) / rate),
  );
}

/** White noise from a linear congruential generator: the same for the same seed. */
export function noise(seconds: number, { seed = 1, amplitude = 3_000 } = {}): Int16Array {
  let state = seed;
  return Int16Array.from({ length: Math.round(seconds * sampleRate) }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return ((state / 2 ** 32) * 2 - 1) * amplitude;
  });
}

/** Chords that change every second: a stand-in for hold music. */
export function music(seconds: number): Int16Array {
  const chords = [
    [262, 330, 392],
    [220, 262, 330],
    [175, 220, 262],
    [196, 247, 294],
  ];
  return Int16Array.from({ length: Math.round(seconds * sampleRate) }, (_, i) => {
    const time = i / sampleRate;
    const chord = chords[Math.floor(time) % chords.length]!;
    const envelope = Math.exp(-3 * (time % 0.5));
    return chord.reduce((sum, hz) => sum + 3_000 * envelope * Math.sin(2 * Math.PI * hz * time), 0);
  });
}

/** A WAV of PCM16; `channels` repeat the same samples. */
export function toWav(samples: Int16Array, { rate = sampleRate, channels = 1 } = {}): Buffer {
  const data = Buffer.alloc(samples.length * channels * 2);
  samples.forEach((sample, i) => {
    for (let c = 0; c < channels; c += 1) data.writeInt16LE(sample, (i * channels + c) * 2);
  });
  const head = Buffer.alloc(44);
  head.write('RIFF', 0);
  head.writeUInt32LE(36 + data.length, 4);
  head.write('WAVEfmt ', 8);
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(channels, 22);
  head.writeUInt32LE(rate, 24);
  head.writeUInt32LE(rate * channels * 2, 28);
  head.writeUInt16LE(channels * 2, 32);
  head.writeUInt16LE(16, 34);
  head.write('data', 36);
  head.writeUInt32LE(data.length, 40);
  return Buffer.concat([head, data]);
}

/** Two channels of equal rate; the shorter one ends in silence. */
export function toStereoWav(left: Int16Array, right: Int16Array): Buffer {
  const samples = Math.max(left.length, right.length);
  const padded = new Int16Array(samples);
  padded.set(left);
  const wav = toWav(padded, { channels: 2 });
  for (let i = 0; i < samples; i += 1) wav.writeInt16LE(right[i] ?? 0, 44 + 4 * i + 2);
  return wav;
}

/** Channels of equal length. */
export function toWavOfChannels(channels: readonly Int16Array[]): Buffer {
  const width = channels.length;
  const wav = toWav(channels[0]!, { channels: width });
  for (const [c, samples] of channels.entries()) {
    samples.forEach((sample, i) => wav.writeInt16LE(sample, 44 + 2 * (i * width + c)));
  }
  return wav;
}

/** Encodes a WAV with the ffmpeg program; `options` precede the output's name. */
export async function encode(
  wav: Buffer,
  format: FileFormat,
  options: readonly string[] = [],
): Promise<Buffer> {
  return withDirectory(async (directory) => {
    const input = join(directory, 'input.wav');
    const output = join(directory, `output.${format}`);
    await writeFile(input, wav);
    await run('ffmpeg', ['-loglevel', 'error', '-i', input, ...options, output]);
    return readFile(output);
  });
}

export async function withDirectory<T>(work: (directory: string) => Promise<T>): Promise<T> {
  const directory = await mkdtemp(join(tmpdir(), 'svc-test-'));
  try {
    return await work(directory);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
