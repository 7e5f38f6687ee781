// The detector of synthetic speech: what training measured, and people it was not trained on.
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sampleRate } from '../../models/audio/sample-rate.ts';
import type { InferencePool } from '../../models/inference/jobs.ts';
import { job, percent } from './chunked-recognition.ts';
import { dataPath, heldOutReaders, readPcm } from './speech-data.ts';

const figuresPath = new URL('../../models/weights/synthetic-figures.json', import.meta.url);
const minSamples = sampleRate;
const maxSamples = 6 * sampleRate;
const sentencesPerReader = 8;

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
    await falseAlarms(pool, 'sentences of held-out readers', {
      paths: readers.flatMap(({ paths }) => paths.slice(0, sentencesPerReader)),
    }),
    await falseAlarms(pool, 'clips of an actress of another corpus', {
      paths: words.map((name) => join(actress, name)),
    }),
  ];
}

async function falseAlarms(
  pool: InferencePool,
  name: string,
  { paths }: { readonly paths: readonly string[] },
): Promise<string> {
  let alarms = 0;
  let clips = 0;
  for (const path of paths) {
    const pcm = (await readPcm(path)).slice(0, maxSamples);
    if (pcm.length < minSamples) continue;
    const spans = [{ start: 0, end: pcm.length / sampleRate }];
    const request = { words: false, language: 'en', text: false, head: 'svczero', spans };
    const { scored } = await pool.analyze(pcm, request, job);
    alarms += scored[0]!.readings[0]! >= 0 ? 1 : 0;
    clips += 1;
  }
  return `${clips} ${name}: ${clips === 0 ? 'not on this machine' : percent(alarms / clips)}`;
}
