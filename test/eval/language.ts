// Accuracy of language detection by voice and duration: telephone prompts, acted German, accented
// English, and the folder EVAL_VOICES (<language>/<voice>/…).
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { sampleRate } from '../../models/audio/sample-rate.ts';
import { joinSamples } from '../../models/audio/samples.ts';
import type { InferencePool } from '../../models/inference/jobs.ts';
import { wilsonInterval } from '../metrics/wilson-interval.ts';
import { job, percent } from './chunked-recognition.ts';
import {
  dataPath,
  heldOutReaders,
  promptVoices,
  readPcm,
  telephonePrompts,
  type PromptLanguage,
} from './speech-data.ts';

const request = {
  ...{ words: true, language: null, compareReadings: true, text: false },
  ...{ head: null, spans: [] },
} as const;
const clipSeconds = [2, 5] as const;
/** Clips of a voice and duration. */
const clipsPerVoice = 20;
const clipsPerReader = 2;
const pauseSamples = sampleRate / 4;

interface Voice {
  readonly language: string;
  readonly name: string;
  readonly paths: readonly string[];
  readonly clips: number;
}

interface VoiceOutcome {
  readonly right: number;
  readonly clips: number;
  readonly mistakenFor: ReadonlyMap<string, number>;
  readonly milliseconds: number;
}

export async function evaluateLanguage(pool: InferencePool): Promise<readonly string[]> {
  const rows = ['| spoken | voice | s | clips | right | 95 % | mistakenFor for | ms a clip |'];
  rows.push('|---|---|---|---|---|---|---|---|');
  for (const [name, voices] of Map.groupBy(await allVoices(), (voice) => voice.name)) {
    for (const seconds of clipSeconds) {
      const parts: VoiceOutcome[] = [];
      for (const voice of voices) parts.push(await recognise(pool, voice, seconds));
      rows.push(row(voices[0]!.language, name, seconds, parts));
    }
  }
  return rows;
}

export async function allVoices(): Promise<readonly Voice[]> {
  const voices: Voice[] = [];
  for (const language of Object.keys(promptVoices) as PromptLanguage[]) {
    const paths = (await telephonePrompts(language)).map(({ path }) => path);
    voices.push({ language, name: promptVoices[language], paths, clips: clipsPerVoice });
  }
  const acted = filesOf(dataPath('emodb'));
  for (const [actor, paths] of Map.groupBy(acted, (path) => path.split('/').at(-1)!.slice(0, 2))) {
    voices.push({ language: 'de', name: `emodb ${actor}`, paths, clips: clipsPerVoice });
  }
  for (const { paths } of await heldOutReaders()) {
    voices.push({ language: 'en', name: 'Mandarin readers', paths, clips: clipsPerReader });
  }
  return [...voices, ...otherVoices()].filter(({ paths }) => paths.length > 0);
}

function otherVoices(): readonly Voice[] {
  const folder = process.env.EVAL_VOICES;
  if (!folder) return [];
  return readdirSync(folder).flatMap((language) =>
    readdirSync(join(folder, language)).map((name) => ({
      ...{ language, name: `${language} ${name}`, clips: clipsPerVoice },
      paths: filesOf(join(folder, language, name)),
    })),
  );
}

function filesOf(folder: string): readonly string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => /\.(wav|flac|ogg|opus|mp3)$/.test(name))
    .toSorted()
    .map((name) => join(folder, name));
}

async function recognise(
  pool: InferencePool,
  voice: Voice,
  seconds: number,
): Promise<VoiceOutcome> {
  const mistakenFor = new Map<string, number>();
  let [right, clips, milliseconds] = [0, 0, 0];
  for await (const pcm of clipsOf(voice, seconds)) {
    const { language, inferenceMs } = await pool.analyze(pcm, request, job);
    clips += 1;
    milliseconds += inferenceMs;
    if (language === voice.language) right += 1;
    else mistakenFor.set(language ?? 'none', (mistakenFor.get(language ?? 'none') ?? 0) + 1);
  }
  return { right, clips, mistakenFor, milliseconds };
}

/** Recordings of the voice behind each other, each used once, cut to the duration. */
export async function* clipsOf(
  { paths, clips }: Voice,
  seconds: number,
): AsyncGenerator<Int16Array> {
  const wanted = seconds * sampleRate;
  let parts: Int16Array[] = [];
  let made = 0;
  for (const path of paths) {
    parts.push(await readPcm(path), new Int16Array(pauseSamples));
    const length = parts.reduce((sum, part) => sum + part.length, 0);
    if (length - pauseSamples < wanted) continue;
    yield joinSamples(parts).slice(0, wanted);
    parts = [];
    if ((made += 1) === clips) return;
  }
}

function row(
  language: string,
  name: string,
  seconds: number,
  parts: readonly VoiceOutcome[],
): string {
  const total = (of: (outcome: VoiceOutcome) => number) =>
    parts.reduce((sum, part) => sum + of(part), 0);
  const [right, clips] = [total((part) => part.right), total((part) => part.clips)];
  const { low, high } = wilsonInterval(right, clips);
  const codes = new Set(parts.flatMap(({ mistakenFor }) => [...mistakenFor.keys()]));
  const mistakenFor = [...codes].map(
    (code) => `${code} ${total((part) => part.mistakenFor.get(code) ?? 0)}`,
  );
  const ms = (total((part) => part.milliseconds) / Math.max(1, clips)).toFixed(0);
  const share = `${percent(right / Math.max(1, clips))} | ${percent(low)} to ${percent(high)}`;
  const cells = [language, name, seconds, clips, share, mistakenFor.join(', '), ms];
  return `| ${cells.join(' | ')} |`;
}
