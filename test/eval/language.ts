// Accuracy of language detection by voice and duration: telephone prompts, acted German, accented
// English, and the folder EVAL_VOICES (<language>/<voice>/…).
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { sampleRate } from '../../models/audio/sample-rate.ts';
import { joinSamples } from '../../models/audio/samples.ts';
import { toFloat } from '../../models/audio/waveform.ts';
import { analyzeChunks } from '../../models/inference/analyze-chunks.ts';
import type { InferencePool } from '../../models/inference/jobs.ts';
import type { LoadedModels } from '../../models/inference/loaded-models.ts';
import { quantile } from '../bench/ratio.ts';
import { wilsonInterval } from '../metrics/wilson-interval.ts';
import { job, percent } from './chunked-recognition.ts';
import { trimmed } from './dialogues.ts';
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

interface Outcome {
  readonly spoken: string;
  readonly voice: string;
  readonly seconds: number;
  /** null where nothing was recognised. */
  readonly recognised: string | null;
}

/** @param models in this process, whose time is measured */
export async function evaluateLanguage(
  pool: InferencePool,
  models: LoadedModels,
): Promise<readonly string[]> {
  const outcomes: Outcome[] = [];
  const english: Int16Array[] = [];
  for (const voice of await allVoices()) {
    const clips = await clipsOfAllLengths(voice);
    outcomes.push(...(await Promise.all(clips.map((clip) => recognise(pool, voice, clip)))));
    if (voice.language !== 'en') continue;
    english.push(
      ...clips.filter(({ seconds }) => seconds === clipSeconds[0]).map(({ pcm }) => pcm),
    );
  }
  if (outcomes.length === 0) return ['skipped: its recordings are not on this machine'];
  const others = outcomes.filter(({ spoken }) => spoken !== 'en');
  const rows = ['| spoken | voice | s | clips | right | share | 95 % | mistaken for |'];
  rows.push('|---|---|---|---|---|---|---|---|');
  rows.push(...rowsBy(outcomes, ({ spoken, voice }) => [spoken, voice]));
  rows.push(...rowsBy(outcomes, ({ spoken }) => [spoken, 'all']));
  rows.push(...rowsBy(others, () => ['all but en', 'all']));
  return [...rows, '', await costOfEnglish(models, english)];
}

interface Clip {
  readonly seconds: number;
  readonly pcm: Int16Array;
}

async function clipsOfAllLengths(voice: Voice): Promise<readonly Clip[]> {
  const clips: Clip[] = [];
  for (const seconds of clipSeconds) {
    for await (const pcm of clipsOf(voice, seconds)) clips.push({ seconds, pcm });
  }
  return clips;
}

async function recognise(
  pool: InferencePool,
  { language: spoken, name: voice }: Voice,
  { seconds, pcm }: Clip,
): Promise<Outcome> {
  const { language } = await pool.analyze(pcm, request, job);
  return { spoken, voice, seconds, recognised: language };
}

function rowsBy(
  outcomes: readonly Outcome[],
  label: (outcome: Outcome) => readonly string[],
): readonly string[] {
  const groups = Map.groupBy(outcomes, (each) => [...label(each), each.seconds].join(' | '));
  return [...groups].map(([name, own]) => {
    const wrong = own.filter(({ spoken, recognised }) => recognised !== spoken);
    const right = own.length - wrong.length;
    const { low, high } = wilsonInterval(right, own.length);
    const codes = [...Map.groupBy(wrong, ({ recognised }) => recognised ?? 'none')];
    const mistakes = codes.map(([code, each]) => `${code} ${each.length}`).join(', ');
    const share = `${percent(right / own.length)} | ${percent(low)} to ${percent(high)}`;
    return `| ${name} | ${own.length} | ${right} | ${share} | ${mistakes} |`;
  });
}

/** Process time of English clips, with the language given and detected. */
async function costOfEnglish(models: LoadedModels, clips: readonly Int16Array[]): Promise<string> {
  const spend = async (pcm: Int16Array, language: string | null): Promise<number> => {
    const before = process.cpuUsage();
    const chunks = [{ samples: pcm.length, request: { ...request, language } }];
    await analyzeChunks(models, toFloat(pcm), chunks);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1_000;
  };
  // Loads what is loaded on demand.
  for (const pcm of clips) await spend(pcm, null);
  const given: number[] = [];
  const detected: number[] = [];
  for (const pcm of clips) {
    given.push(await spend(pcm, 'en'));
    detected.push(await spend(pcm, null));
  }
  return (
    `${clips.length} English clips of ${clipSeconds[0]} s, process time: language given ` +
    `${summary(given)}; detected ${summary(detected)}`
  );
}

function summary(ms: readonly number[]): string {
  const mean = ms.reduce((sum, each) => sum + each, 0) / ms.length;
  return `median ${quantile(ms, 0.5).toFixed(1)} ms, mean ${mean.toFixed(1)} ms`;
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

/** Recordings of the voice, without their silence, behind each other, each used once, cut. */
export async function* clipsOf(
  { paths, clips }: Voice,
  seconds: number,
): AsyncGenerator<Int16Array> {
  const wanted = seconds * sampleRate;
  let parts: Int16Array[] = [];
  let made = 0;
  for (const path of paths) {
    parts.push(trimmed(await readPcm(path)), new Int16Array(pauseSamples));
    const length = parts.reduce((sum, part) => sum + part.length, 0);
    if (length - pauseSamples < wanted) continue;
    yield joinSamples(parts).slice(0, wanted);
    parts = [];
    if ((made += 1) === clips) return;
  }
}
