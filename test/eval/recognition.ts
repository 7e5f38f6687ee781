// Recognition of real speech, through the chunk pipeline and the pool: words, their times, speed.
import { planChunks } from '../../models/analysis/chunk-plan.ts';
import type { Word } from '../../models/asr/transcript.ts';
import type { InferencePool } from '../../models/inference/jobs.ts';
import { findSpeechRegions } from '../../models/vad/speech-regions.ts';
import { normaliseWords } from '../metrics/text-normalisation.ts';
import { countWordErrors, wordErrorRate, type WordErrors } from '../metrics/wer.ts';
import { shareWithin, wordTimeErrors } from '../metrics/word-time-error.ts';
import { joinPrompts } from './joined-prompts.ts';
import { readPcm, secondLanguageSpeech, telephonePrompts, type Utterance } from './speech-data.ts';

const job = { organizationId: 'eval', priority: 1 } as const;
const request = { words: true, language: 'en', text: false, head: null, spans: [] } as const;
const sampleRate = 16_000;
/** models.md: how near a word's start and end have to be. */
const tolerance = 0.1;

/** Words of a recording of at most 120 s, in order. */
async function recognise(pool: InferencePool, pcm: Int16Array): Promise<readonly Word[]> {
  const probabilities = await pool.voiceActivity(pcm, job);
  const chunks = planChunks(findSpeechRegions(probabilities), probabilities, pcm.length);
  const words: Word[] = [];
  for (const { startSample, endSample } of chunks) {
    const found = await pool.analyze(pcm.slice(startSample, endSample), request, job);
    const offset = startSample / sampleRate;
    words.push(...found.words.map((w) => ({ ...w, start: w.start + offset, end: w.end + offset })));
  }
  return words;
}

async function errorRate(
  pool: InferencePool,
  name: string,
  utterances: readonly Utterance[],
): Promise<string> {
  if (utterances.length === 0) {
    return `| ${name} | skipped: its recordings are not on this machine | | |`;
  }
  const recordings: Int16Array[] = [];
  for (const { path } of utterances) recordings.push(await readPcm(path));
  const seconds = recordings.reduce((sum, pcm) => sum + pcm.length / sampleRate, 0);
  const startedAt = performance.now();
  const errors: WordErrors[] = await Promise.all(
    recordings.map(async (pcm, i) => {
      const heard = (await recognise(pool, pcm)).map(({ word }) => word).join(' ');
      return countWordErrors(normaliseWords(utterances[i]!.text), normaliseWords(heard));
    }),
  );
  const factor = (performance.now() - startedAt) / 1_000 / seconds;
  const rate = `${(100 * wordErrorRate(errors)).toFixed(1)} %`;
  return `| ${name} | ${utterances.length} | ${rate} | ${factor.toFixed(4)} |`;
}

/** Lines of a table of word error rates. */
export async function evaluateRecognition(pool: InferencePool): Promise<readonly string[]> {
  return [
    '| set | utterances | WER | real-time factor |',
    '|---|---|---|---|',
    await errorRate(pool, 'English telephone prompts, 8 kHz', await telephonePrompts()),
    await errorRate(pool, 'Mandarin speakers, adults', await secondLanguageSpeech(18, 200)),
    await errorRate(pool, 'Mandarin speakers, children', await secondLanguageSpeech(0, 17)),
  ];
}

/** Lines of a table of word-time errors on joined prompts. */
export async function evaluateWordTimes(pool: InferencePool): Promise<readonly string[]> {
  const recordings = await joinPrompts(await telephonePrompts());
  const all = await Promise.all(
    recordings.map(async ({ pcm, words }) => wordTimeErrors(words, await recognise(pool, pcm))),
  );
  const matched = all.reduce((sum, errors) => sum + errors.matchedWords, 0);
  const total = all.reduce((sum, errors) => sum + errors.referenceWords, 0);
  const percent = (errors: readonly number[]): string =>
    `${(100 * shareWithin(errors, tolerance)).toFixed(1)} %`;
  const start = percent(all.flatMap((errors) => errors.start));
  const end = percent(all.flatMap((errors) => errors.end));
  return [
    '| joined single-word prompts | start within 100 ms | end within 100 ms |',
    '|---|---|---|',
    `| ${matched} of ${total} words recognised and timed | ${start} | ${end} |`,
  ];
}
