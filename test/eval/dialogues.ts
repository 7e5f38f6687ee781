// Recordings with known turns: meeting clips with RTTM, and dialogues joined from held-out readers.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sampleRate } from '../../models/audio/sample-rate.ts';
import type { Turn } from '../metrics/der.ts';
import { createRandom, shuffled } from '../support/random.ts';
import { encode, toWav, withDirectory } from '../support/speech.ts';
import { dataPath, heldOutReaders, lines, readPcm } from './speech-data.ts';

export interface Dialogue {
  readonly pcm: Int16Array;
  readonly turns: readonly Turn[];
  readonly speakers: number;
}

/** The meeting clips of one split: 30 s each. */
export async function meetingClips(
  split: 'train' | 'development' | 'test',
): Promise<readonly Dialogue[]> {
  const clips = new Map<string, Turn[]>();
  for (const line of await lines(dataPath('diarization', `debug.${split}.rttm`))) {
    const [, name = '', , start, seconds, , , speaker = ''] = line.split(/\s+/);
    const turn = { speaker, start: Number(start), end: Number(start) + Number(seconds) };
    clips.set(name, [...(clips.get(name) ?? []), turn]);
  }
  return Promise.all(
    [...clips].map(async ([name, turns]) => ({
      pcm: await readPcm(dataPath('diarization', `${name}.flac`)),
      turns,
      speakers: new Set(turns.map((turn) => turn.speaker)).size,
    })),
  );
}

export interface DialogueOptions {
  readonly speakers: number;
  readonly overlap: boolean;
  readonly telephone: boolean;
  readonly seed: number;
  /** Absent: 16, of about a minute. */
  readonly turns?: number;
}

const turnsPerDialogue = 16;
/** Room for a turn, its pauses included. */
const secondsPerTurn = 25;

/** Turns of one sentence each by held-out readers; null when the data is absent. */
export async function joinDialogue(options: DialogueOptions): Promise<Dialogue | null> {
  const random = createRandom(options.seed);
  const readers = shuffled(await heldOutReaders(), random).slice(0, options.speakers);
  if (readers.length < options.speakers) return null;
  const count = options.turns ?? turnsPerDialogue;
  const pcm = new Int16Array(count * secondsPerTurn * sampleRate);
  const turns: Turn[] = [];
  let end = sampleRate / 2;
  let last = -1;
  for (let i = 0; i < count; i += 1) {
    const others = readers.map((_, index) => index).filter((index) => index !== last);
    const speaker = readers.length === 1 ? 0 : others[Math.floor(random() * others.length)]!;
    last = speaker;
    const { paths } = readers[speaker]!;
    const spoken = trimmed(await readPcm(paths[Math.floor(random() * paths.length)]!));
    const overlaps = options.overlap && i > 0 && random() < 0.35;
    const offset = overlaps ? -(0.3 + 0.9 * random()) : 0.1 + 0.7 * random();
    const start = Math.max(0, Math.round(end + offset * sampleRate));
    const gain = (0.3 + 0.3 * random()) * 32_768;
    const peak = spoken.reduce((max, sample) => Math.max(max, Math.abs(sample)), 1);
    spoken.forEach((sample, n) => (pcm[start + n]! += (sample / peak) * gain));
    turns.push({
      speaker: String(speaker),
      start: start / sampleRate,
      end: (start + spoken.length) / sampleRate,
    });
    end = Math.max(end, start + spoken.length);
  }
  const whole = pcm.slice(0, end + sampleRate / 2);
  const speakers = new Set(turns.map((turn) => turn.speaker)).size;
  return { pcm: options.telephone ? await telephoneBand(whole) : whole, turns, speakers };
}

const telephoneOptions = ['-af', 'highpass=300,lowpass=3400', '-ar', '8000', '-c:a', 'pcm_mulaw'];

/** Through a telephone line: 300 to 3,400 Hz, 8 kHz, mu-law. */
export async function telephoneBand(pcm: Int16Array): Promise<Int16Array> {
  return (await throughFfmpeg(pcm, telephoneOptions)).slice(0, pcm.length);
}

/** @param options of the ffmpeg program, for a WAV file */
export async function throughFfmpeg(
  pcm: Int16Array,
  options: readonly string[],
): Promise<Int16Array> {
  return withDirectory(async (directory) => {
    const path = join(directory, 'changed.wav');
    await writeFile(path, await encode(toWav(pcm), 'wav', [...options]));
    return readPcm(path);
  });
}

/** Without the silence at both ends: frames of 10 ms more than 35 dB below the loudest. */
export function trimmed(pcm: Int16Array): Int16Array {
  const hop = 160;
  const frames = Math.floor(pcm.length / hop);
  const decibels = Array.from({ length: frames }, (_, frame) => {
    let sum = 1e-9;
    for (let i = frame * hop; i < (frame + 1) * hop; i += 1) sum += pcm[i]! ** 2;
    return 10 * Math.log10(sum / hop);
  });
  const floor = Math.max(...decibels) - 35;
  const first = decibels.findIndex((value) => value > floor);
  const last = decibels.findLastIndex((value) => value > floor);
  return pcm.slice(first * hop, (last + 1) * hop);
}
