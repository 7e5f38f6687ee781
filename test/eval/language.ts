// In which language clips are recognised, by language and duration, with voices named: telephone
// prompts, acted German, accented English, and the folder EVAL_VOICES (<language>/<voice>/…).
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { sampleRate } from '../../models/audio/sample-rate.ts';
import type { InferencePool } from '../../models/inference/jobs.ts';
import { wilsonInterval } from '../metrics/wilson-interval.ts';
import {
  dataPath,
  heldOutReaders,
  promptVoices,
  readPcm,
  telephonePrompts,
  type PromptLanguage,
} from './speech-data.ts';

const job = { organizationId: 'eval', priority: 1 } as const;
const request = { words: true, language: null, text: false, head: null, spans: [] } as const;
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

interface Heard {
  readonly right: number;
  readonly clips: number;
  readonly taken: ReadonlyMap<string, number>;
  readonly milliseconds: number;
}

export async function evaluateLanguage(pool: InferencePool): Promise<readonly string[]> {
  const rows = ['| spoken | voice | s | clips | right | 95 % | taken for | ms a clip |'];
  rows.push('|---|---|---|---|---|---|---|---|');
  for (const [name, voices] of Map.groupBy(await allVoices(), (voice) => voice.name)) {
    for (const seconds of clipSeconds) {
      const parts: Heard[] = [];
      for (const voice of voices) parts.push(await hear(pool, voice, seconds));
      rows.push(row(voices[0]!.language, name, seconds, parts));
    }
  }
  return rows;
}

async function allVoices(): Promise<readonly Voice[]> {
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

async function hear(pool: InferencePool, voice: Voice, seconds: number): Promise<Heard> {
  const taken = new Map<string, number>();
  let [right, clips, milliseconds] = [0, 0, 0];
  for await (const pcm of clipsOf(voice, seconds)) {
    const { language, inferenceMs } = await pool.analyze(pcm, request, job);
    clips += 1;
    milliseconds += inferenceMs;
    if (language === voice.language) right += 1;
    else taken.set(language ?? 'none', (taken.get(language ?? 'none') ?? 0) + 1);
  }
  return { right, clips, taken, milliseconds };
}

/** Recordings of the voice behind each other, each used once, cut to the duration. */
async function* clipsOf({ paths, clips }: Voice, seconds: number): AsyncGenerator<Int16Array> {
  const wanted = seconds * sampleRate;
  let parts: Int16Array[] = [];
  let made = 0;
  for (const path of paths) {
    parts.push(await readPcm(path), new Int16Array(pauseSamples));
    const length = parts.reduce((sum, part) => sum + part.length, 0);
    if (length - pauseSamples < wanted) continue;
    const joined = new Int16Array(length);
    let offset = 0;
    for (const part of parts) {
      joined.set(part, offset);
      offset += part.length;
    }
    yield joined.slice(0, wanted);
    parts = [];
    if ((made += 1) === clips) return;
  }
}

function row(language: string, name: string, seconds: number, parts: readonly Heard[]): string {
  const total = (of: (heard: Heard) => number) => parts.reduce((sum, part) => sum + of(part), 0);
  const [right, clips] = [total((part) => part.right), total((part) => part.clips)];
  const { low, high } = wilsonInterval(right, clips);
  const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;
  const codes = new Set(parts.flatMap(({ taken }) => [...taken.keys()]));
  const taken = [...codes].map((code) => `${code} ${total((part) => part.taken.get(code) ?? 0)}`);
  const ms = (total((part) => part.milliseconds) / Math.max(1, clips)).toFixed(0);
  const share = `${percent(right / Math.max(1, clips))} | ${percent(low)} to ${percent(high)}`;
  const cells = [language, name, seconds, clips, share, taken.join(', '), ms];
  return `| ${cells.join(' | ')} |`;
}
