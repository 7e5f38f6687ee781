// Whisper's words of recordings whose language is given: error rates compared with faster-whisper
// on the same chunks and weights, and the times of single words joined with pauses.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { textChunks } from '../../models/analysis/plan/plan.ts';
import type { InferencePool } from '../../models/inference/jobs.ts';
import { bootstrapInterval } from '../metrics/bootstrap.ts';
import { normaliseWords } from '../metrics/text-normalisation.ts';
import { countWordErrors, wordErrorRate, type WordErrors } from '../metrics/wer.ts';
import { shareWithin, wordTimeErrors } from '../metrics/word-time-error.ts';
import { toWav, withDirectory } from '../support/speech.ts';
import { chunksOf, percent, recogniseWords, type SpokenChunk } from './chunked-recognition.ts';
import { fasterWhisper } from './faster-whisper.ts';
import {
  joinPrompts,
  noisyPairs,
  rumblingPairs,
  sharedChunks,
  type Joining,
} from './joined-prompts.ts';
import { readPcm, telephonePrompts, type Utterance } from './speech-data.ts';

const voices = ['es', 'fr', 'it', 'ru'] as const;
type Voice = (typeof voices)[number];
/** Prompts of three words and more, and single words, so many per language. */
const perLanguage = 40;
const minWords = 3;
const joinedWords = 80;
/** Tolerance of a word's start and end. */
const toleranceSeconds = 0.1;

export async function evaluateWhisper(pool: InferencePool): Promise<readonly string[]> {
  const rows = [
    '| speech | utterances | WER | faster-whisper WER | difference in points, 95 % |',
    '|---|---|---|---|---|',
  ];
  for (const voice of voices) rows.push(await compareErrors(pool, voice));
  rows.push('', '| joined single words | matched | start within 100 ms | end within 100 ms |');
  rows.push('|---|---|---|---|');
  for (const voice of voices) rows.push(await wordTimes(pool, voice, sharedChunks));
  rows.push(
    '',
    '| two words a second apart, in noise | matched | start | end |',
    '|---|---|---|---|',
  );
  for (const voice of voices) rows.push(await wordTimes(pool, voice, noisyPairs));
  rows.push('', '| the same in a rumble | matched | start | end |', '|---|---|---|---|');
  for (const voice of voices) rows.push(await wordTimes(pool, voice, rumblingPairs));
  return rows;
}

async function compareErrors(pool: InferencePool, voice: Voice): Promise<string> {
  const prompts = (await telephonePrompts(voice)).filter(
    ({ text }) => text.split(/\s+/).length >= minWords && !/\d/.test(text),
  );
  const step = Math.max(1, Math.floor(prompts.length / perLanguage));
  const all = prompts.filter((_, i) => i % step === step >> 1).slice(0, perLanguage);
  if (all.length === 0) return `| ${voice} | skipped: not on this machine | | | |`;
  const chunks: (readonly SpokenChunk[])[] = [];
  const errors: WordErrors[] = [];
  for (const { path, text } of all) {
    const own = await chunksOf(pool, await readPcm(path), textChunks);
    const words = await recogniseWords(pool, own, voice);
    chunks.push(own);
    errors.push(errorsOf(voice, text, words.map(({ word }) => word).join(' ')));
  }
  const reference = await errorsOfFasterWhisper(voice, all, chunks);
  const rate = percent(wordErrorRate(errors));
  if (!reference) return `| ${voice} | ${all.length} | ${rate} | not run | |`;
  const pairs = errors.map((own, i) => [own, reference[i]!] as const);
  const { low, high } = bootstrapInterval(pairs, (drawn) => {
    return 100 * (wordErrorRate(drawn.map(([a]) => a)) - wordErrorRate(drawn.map(([, b]) => b)));
  });
  const difference = `${low.toFixed(1)} to ${high.toFixed(1)}`;
  const referenceRate = percent(wordErrorRate(reference));
  return `| ${voice} | ${all.length} | ${rate} | ${referenceRate} | ${difference} |`;
}

function errorsOf(voice: Voice, reference: string, text: string): WordErrors {
  return countWordErrors(normaliseWords(reference, voice), normaliseWords(text, voice));
}

async function errorsOfFasterWhisper(
  voice: Voice,
  all: readonly Utterance[],
  chunks: readonly (readonly SpokenChunk[])[],
): Promise<readonly WordErrors[] | null> {
  return withDirectory(async (directory) => {
    const files: { path: string; utterance: number; language: string }[] = [];
    for (const [utterance, own] of chunks.entries()) {
      for (const { pcm } of own) {
        const path = join(directory, `${files.length}.wav`);
        await writeFile(path, toWav(pcm));
        files.push({ path, utterance, language: voice });
      }
    }
    const transcripts = await fasterWhisper(files);
    return (
      transcripts &&
      all.map(({ text }, i) => {
        const own = transcripts.filter((_, file) => files[file]!.utterance === i);
        return errorsOf(voice, text, own.map((one) => one.text).join(' '));
      })
    );
  });
}

async function wordTimes(pool: InferencePool, voice: Voice, joining: Joining): Promise<string> {
  const joined = await joinPrompts(await telephonePrompts(voice), joining);
  const { wordsPerRecording } = joining;
  // Every other eight words, from the first, were used while the alignment was developed.
  const eightOf = (i: number): number =>
    Math.floor((i * wordsPerRecording) / sharedChunks.wordsPerRecording);
  const most = joinedWords / wordsPerRecording;
  const kept = joined.filter((_, i) => eightOf(i) % 2 === 1).slice(0, most);
  const start: number[] = [];
  const end: number[] = [];
  let total = 0;
  for (const recording of kept) {
    const chunks = await chunksOf(pool, recording.pcm, textChunks);
    const words = await recogniseWords(pool, chunks, voice);
    const errors = wordTimeErrors(recording.words, words);
    start.push(...errors.start);
    end.push(...errors.end);
    total += errors.referenceWords;
  }
  const within = (errors: readonly number[]): string =>
    percent(shareWithin(errors, toleranceSeconds));
  return `| ${voice} | ${start.length} of ${total} | ${within(start)} | ${within(end)} |`;
}
