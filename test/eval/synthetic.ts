// The detector of synthetic speech: what training measured, and people it was not trained on.
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { resultOf } from '../../models/analysis/result/result-of.ts';
import { sampleRate } from '../../models/audio/sample-rate.ts';
import { joinSamples } from '../../models/audio/samples.ts';
import type { InferencePool } from '../../models/inference/jobs.ts';
import { analyzeSamples } from '../support/analyze-samples.ts';
import { silence } from '../support/speech.ts';
import { job, percent } from './chunked-recognition.ts';
import { dataPath, heldOutReaders, readPcm } from './speech-data.ts';

const figuresPath = new URL('../../models/weights/synthetic-figures.json', import.meta.url);
const minSamples = sampleRate;
const maxSamples = 6 * sampleRate;
const sentencesPerReader = 8;
const silenceSeconds = 2;
const options = { diarize: false, numSpeakers: null, includeLogits: true };
const request = { task: 'synthetic_speech', model: 'svczero', options } as const;

/** Lines: figures of the training run, then the people who are taken for synthetic. */
export async function evaluateSynthetic(pool: InferencePool): Promise<readonly string[]> {
  const figures = JSON.parse(await readFile(figuresPath, 'utf8')) as Record<string, number>;
  const readers = await heldOutReaders();
  const actress = dataPath('tess-older-actress');
  const words = (existsSync(actress) ? await readdir(actress) : []).filter((name) =>
    name.endsWith('.ogg'),
  );
  return [
    '| of the training run | share |',
    '|---|---|',
    ...Object.entries(figures).map(([name, value]) => `| ${name} | ${percent(value)} |`),
    '',
    'Taken for synthetic:',
    ...(await falseAlarms(pool, 'sentences of held-out readers', {
      paths: readers.flatMap(({ paths }) => paths.slice(0, sentencesPerReader)),
    })),
    ...(await falseAlarms(pool, 'clips of an actress of another corpus', {
      paths: words.map((name) => join(actress, name)),
    })),
  ];
}

/** Of the clips alone, and in silence. */
async function falseAlarms(
  pool: InferencePool,
  name: string,
  { paths }: { readonly paths: readonly string[] },
): Promise<readonly string[]> {
  let clips = 0;
  const alarms = { alone: 0, inSilence: 0 };
  for (const path of paths) {
    const pcm = (await readPcm(path)).slice(0, maxSamples);
    if (pcm.length < minSamples) continue;
    clips += 1;
    alarms.alone += (await isAlarm(pool, pcm)) ? 1 : 0;
    const around = silence(silenceSeconds);
    alarms.inSilence += (await isAlarm(pool, joinSamples([around, pcm, around]))) ? 1 : 0;
  }
  if (clips === 0) return [`${name}: not on this machine`];
  const { alone, inSilence } = alarms;
  return [
    `${clips} ${name}: ${percent(alone / clips)}`,
    `the same with ${silenceSeconds} s of silence before and behind: ${percent(inSilence / clips)}`,
  ];
}

async function isAlarm(pool: InferencePool, pcm: Int16Array): Promise<boolean> {
  const analyzed = await analyzeSamples(pool, { request, pcm }, job);
  const { logits } = await resultOf(pool, analyzed, { affect: null, transcript: null });
  return logits![0]! >= 0;
}
