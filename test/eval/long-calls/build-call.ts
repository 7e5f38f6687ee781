// Builds a long call from recordings: sections in one language or another, hold music, pauses; what
// is said when, and in which language, is known exactly.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { sampleRate } from '../../../models/audio/sample-rate.ts';
import { joinSamples } from '../../../models/audio/samples.ts';
import { createRandom, type Random } from '../../support/random.ts';
import { music, silence } from '../../support/speech.ts';
import { trimmed } from '../dialogues.ts';
import { readPcm, type Utterance } from '../speech-data.ts';
import { readersOfEnglish, utterancesOf, type Band, type SpokenLanguage } from './voices.ts';

/** A stretch of a call in one language. */
export interface Section {
  /** `music` is hold music. */
  readonly language: SpokenLanguage | 'music' | 'silence';
  readonly seconds: number;
  /** English by Mandarin readers; absent: the prompts' voice. */
  readonly readers?: true;
}

export interface CallKind {
  readonly name: string;
  readonly sections: readonly Section[];
  readonly band: Band;
  /** The half of the recordings that nothing is chosen on. */
  readonly last: boolean;
  readonly seed: number;
}

/** Something said, in seconds from the start of the call. */
export interface Said {
  readonly start: number;
  readonly end: number;
  readonly language: SpokenLanguage;
  readonly text: string;
}

export interface LongCall {
  readonly pcm: Int16Array;
  readonly said: readonly Said[];
  readonly music: readonly { readonly start: number; readonly end: number }[];
}

const holdMusic = '/usr/share/asterisk/moh';
/** Of the loudest sample of an utterance: speakers differ. */
const [leastPeak, peakRange] = [0.25, 0.35];
const [leastPause, pauseRange] = [0.2, 0.9];

export async function buildCall(kind: CallKind): Promise<LongCall> {
  const random = createRandom(kind.seed);
  const parts: Int16Array[] = [];
  const said: Said[] = [];
  const heldFor: { start: number; end: number }[] = [];
  let samples = 0;
  const add = (pcm: Int16Array): { readonly start: number; readonly end: number } => {
    const start = samples / sampleRate;
    parts.push(pcm);
    samples += pcm.length;
    return { start, end: samples / sampleRate };
  };
  add(silence(0.5));
  for (const section of kind.sections) {
    const { language, seconds } = section;
    if (language === 'silence') {
      add(silence(seconds));
      continue;
    }
    if (language === 'music') {
      heldFor.push(add(await musicOf(seconds, random)));
      add(silence(0.5));
      continue;
    }
    const own = await utterancesIn(section, language, kind);
    const end = samples + seconds * sampleRate;
    do {
      const { path, text } = own[Math.floor(random() * own.length)]!;
      said.push({ ...add(atLevel(trimmed(await read(path)), random)), language, text });
      add(silence(leastPause + pauseRange * random()));
    } while (samples < end);
  }
  return { pcm: joinSamples(parts), said, music: heldFor };
}

function utterancesIn(
  { readers }: Section,
  language: SpokenLanguage,
  { band, last }: CallKind,
): Promise<readonly Utterance[]> {
  return readers ? readersOfEnglish(last) : utterancesOf(language, { band, last });
}

const known = new Map<string, Int16Array>();

async function read(path: string): Promise<Int16Array> {
  const pcm = known.get(path) ?? (await readPcm(path));
  known.set(path, pcm);
  return pcm;
}

function atLevel(pcm: Int16Array, random: Random): Int16Array {
  const peak = pcm.reduce((max, sample) => Math.max(max, Math.abs(sample)), 1);
  const gain = ((leastPeak + peakRange * random()) * 32_767) / peak;
  return pcm.map((sample) => sample * gain);
}

/** Recorded music where it is installed (`asterisk-moh-opsound-wav`). */
async function musicOf(seconds: number, random: Random): Promise<Int16Array> {
  const names = existsSync(holdMusic) ? readdirSync(holdMusic).toSorted() : [];
  const files = names.filter((name) => name.endsWith('.wav'));
  if (files.length === 0) return music(seconds);
  const pcm = await read(join(holdMusic, files[Math.floor(random() * files.length)]!));
  const start = Math.floor(random() * Math.max(1, pcm.length - seconds * sampleRate));
  return pcm.slice(start, start + seconds * sampleRate);
}
