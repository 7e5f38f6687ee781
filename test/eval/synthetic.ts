// The detector of synthetic speech: what training measured, and held-out human speakers.
import { readFile } from 'node:fs/promises';
import { sampleRate } from '../../models/audio/sample-rate.ts';
import type { InferencePool } from '../../models/inference/jobs.ts';
import { job, percent } from './chunked-recognition.ts';
import { readPcm, telephonePrompts } from './speech-data.ts';

const figuresPath = new URL('../../models/weights/synthetic-figures.json', import.meta.url);
const minSamples = sampleRate;
const maxSamples = 6 * sampleRate;

/**
 * Lines: equal error rates of the training run, then the English prompts classified as synthetic.
 */
export async function evaluateSynthetic(pool: InferencePool): Promise<readonly string[]> {
  const figures = JSON.parse(await readFile(figuresPath, 'utf8')) as Record<string, number>;
  const lines = [
    '| held out | share |',
    '|---|---|',
    ...Object.entries(figures).map(([name, value]) => `| ${name} | ${percent(value)} |`),
    '',
  ];
  let falseAlarms = 0;
  let clips = 0;
  for (const { path } of await telephonePrompts()) {
    const pcm = (await readPcm(path)).slice(0, maxSamples);
    if (pcm.length < minSamples) continue;
    const spans = [{ start: 0, end: pcm.length / sampleRate }];
    const request = { words: false, language: 'en', text: false, head: 'svczero', spans };
    const { scored } = await pool.analyze(pcm, request, job);
    falseAlarms += scored[0]!.readings[0]! >= 0 ? 1 : 0;
    clips += 1;
  }
  const share = clips === 0 ? 'not on this machine' : percent(falseAlarms / clips);
  return [
    ...lines,
    `${clips} English telephone prompts of a person, taken for synthetic: ${share}`,
  ];
}
