// Recognition of real speech, through the chunk pipeline and the pool: words, their times, speed.
import type { Word } from '../../models/asr/transcript.ts';
import { sampleRate } from '../../models/audio/sample-rate.ts';
import type { InferencePool } from '../../models/inference/jobs.ts';
import { normaliseWords } from '../metrics/text-normalisation.ts';
import { countWordErrors, wordErrorRate, type WordErrors } from '../metrics/wer.ts';
import { shareWithin, wordTimeErrors } from '../metrics/word-time-error.ts';
import { chunksOf, percent, recogniseWords } from './chunked-recognition.ts';
import { joinPrompts } from './joined-prompts.ts';
import { readPcm, secondLanguageSpeech, telephonePrompts, type Utterance } from './speech-data.ts';

/** Tolerance of a word's start and end. */
const toleranceSeconds = 0.1;

/** Words of a recording of at most 120 s, in order. */
async function recognise(pool: InferencePool, pcm: Int16Array): Promise<readonly Word[]> {
  return recogniseWords(pool, await chunksOf(pool, pcm), 'en');
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
      const text = (await recognise(pool, pcm)).map(({ word }) => word).join(' ');
      return countWordErrors(normaliseWords(utterances[i]!.text), normaliseWords(text));
    }),
  );
  const factor = (performance.now() - startedAt) / 1_000 / seconds;
  const rate = percent(wordErrorRate(errors));
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
  const within = (errors: readonly number[]): string =>
    percent(shareWithin(errors, toleranceSeconds));
  const start = within(all.flatMap((errors) => errors.start));
  const end = within(all.flatMap((errors) => errors.end));
  return [
    '| joined single-word prompts | start within 100 ms | end within 100 ms |',
    '|---|---|---|',
    `| ${matched} of ${total} words recognised and timed | ${start} | ${end} |`,
  ];
}
