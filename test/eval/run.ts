// `npm run eval`: word error rate and speed on real speech, through the chunk pipeline and pool.
import { availableParallelism } from 'node:os';
import { planChunks } from '../../models/audio/chunk-plan.ts';
import { createInferencePool } from '../../models/inference/pool.ts';
import type { InferencePool } from '../../models/inference/jobs.ts';
import { normaliseWords } from '../metrics/text-normalisation.ts';
import { countWordErrors, wordErrorRate, type WordErrors } from '../metrics/wer.ts';
import { readPcm, secondLanguageSpeech, telephonePrompts, type Utterance } from './speech-data.ts';

const job = { priority: 1 } as const;

async function recognise(pool: InferencePool, pcm: Int16Array): Promise<string> {
  const chunks = planChunks(await pool.voiceActivity(pcm, job), pcm.length);
  const texts: string[] = [];
  for (const { startSample, endSample } of chunks) {
    const { words } = await pool.transcribe(pcm.slice(startSample, endSample), job);
    texts.push(...words.map(({ word }) => word));
  }
  return texts.join(' ');
}

async function evaluate(
  pool: InferencePool,
  name: string,
  utterances: readonly Utterance[],
): Promise<void> {
  if (utterances.length === 0) {
    console.log(`| ${name} | skipped: its recordings are not on this machine | | |`);
    return;
  }
  const recordings: Int16Array[] = [];
  for (const { path } of utterances) recordings.push(await readPcm(path));
  const seconds = recordings.reduce((sum, pcm) => sum + pcm.length / 16_000, 0);
  const startedAt = performance.now();
  const errors: WordErrors[] = await Promise.all(
    recordings.map(async (pcm, i) => {
      const heard = await recognise(pool, pcm);
      return countWordErrors(normaliseWords(utterances[i]!.text), normaliseWords(heard));
    }),
  );
  const factor = (performance.now() - startedAt) / 1_000 / seconds;
  const rate = `${(100 * wordErrorRate(errors)).toFixed(1)} %`;
  console.log(`| ${name} | ${utterances.length} | ${rate} | ${factor.toFixed(4)} |`);
}

const pool = createInferencePool({
  modelsDirectory: process.env.SVC_MODELS_DIR ?? '',
  processes: availableParallelism(),
});
await pool.ready();
console.log('| set | utterances | WER | real-time factor |\n|---|---|---|---|');
await evaluate(pool, 'English telephone prompts, 8 kHz', await telephonePrompts());
await evaluate(pool, 'Mandarin speakers of English, adults', await secondLanguageSpeech(18, 200));
await evaluate(pool, 'Mandarin speakers of English, children', await secondLanguageSpeech(0, 17));
await pool.close();
