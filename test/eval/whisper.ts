// Whisper's words of recordings whose language is known: errors beside faster-whisper on the same
// chunks and weights, times of single words joined with pauses, and how sure they are.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { planChunks } from '../../models/analysis/chunk-plan.ts';
import { textChunks } from '../../models/analysis/plan.ts';
import type { Word } from '../../models/asr/transcript.ts';
import type { InferencePool } from '../../models/inference/jobs.ts';
import { findSpeechRegions } from '../../models/vad/speech-regions.ts';
import { bootstrapInterval } from '../metrics/bootstrap.ts';
import { normaliseWords } from '../metrics/text-normalisation.ts';
import { countWordErrors, wordErrorRate, type WordErrors } from '../metrics/wer.ts';
import { shareWithin, wordTimeErrors } from '../metrics/word-time-error.ts';
import { sampleRate, toWav, withDirectory } from '../support/speech.ts';
import { fasterWhisper } from './faster-whisper.ts';
import { joinPrompts } from './joined-prompts.ts';
import { readPcm, telephonePrompts, type Utterance } from './speech-data.ts';

const job = { organizationId: 'eval', priority: 1 } as const;
const voices = ['es', 'fr', 'it', 'ru'] as const;
type Voice = (typeof voices)[number];
/** Prompts of three words and more, so many per language; joined recordings of eight words. */
const perLanguage = 40;
const minWords = 3;
const joinedPerLanguage = 10;
/** How near a word's start and end have to be. */
const tolerance = 0.1;

export async function evaluateWhisper(pool: InferencePool): Promise<readonly string[]> {
  const rows = [
    '| speech | utterances | WER | faster-whisper WER | difference in points, 95 % |',
    '|---|---|---|---|---|',
  ];
  for (const voice of voices) rows.push(await compareErrors(pool, voice));
  rows.push('', '| joined single words | matched | start within 100 ms | end within 100 ms |');
  rows.push('|---|---|---|---|');
  for (const voice of voices) rows.push(await wordTimes(pool, voice));
  return rows;
}

interface Spoken {
  readonly pcm: Int16Array;
  readonly startSeconds: number;
}

async function chunksOf(pool: InferencePool, pcm: Int16Array): Promise<readonly Spoken[]> {
  const probabilities = await pool.voiceActivity(pcm, job);
  const regions = findSpeechRegions(probabilities);
  return planChunks(regions, probabilities, pcm.length, textChunks).map((chunk) => ({
    pcm: pcm.slice(chunk.startSample, chunk.endSample),
    startSeconds: chunk.startSample / sampleRate,
  }));
}

async function hear(
  pool: InferencePool,
  chunks: readonly Spoken[],
  language: string,
): Promise<readonly Word[]> {
  const request = { words: true, language, text: false, head: null, spans: [] };
  const heard = await Promise.all(chunks.map(({ pcm }) => pool.analyze(pcm, request, job)));
  return heard.flatMap(({ words }, i) =>
    words.map((word) => ({
      ...word,
      start: word.start + chunks[i]!.startSeconds,
      end: word.end + chunks[i]!.startSeconds,
    })),
  );
}

async function compareErrors(pool: InferencePool, voice: Voice): Promise<string> {
  const prompts = (await telephonePrompts(voice)).filter(
    ({ text }) => text.split(/\s+/).length >= minWords && !/\d/.test(text),
  );
  const step = Math.max(1, Math.floor(prompts.length / perLanguage));
  const all = prompts.filter((_, i) => i % step === step >> 1).slice(0, perLanguage);
  if (all.length === 0) return `| ${voice} | skipped: not on this machine | | | |`;
  const chunks: (readonly Spoken[])[] = [];
  const ours: WordErrors[] = [];
  for (const { path, text } of all) {
    const own = await chunksOf(pool, await readPcm(path));
    const words = await hear(pool, own, voice);
    chunks.push(own);
    ours.push(errorsOf(voice, text, words.map(({ word }) => word).join(' ')));
  }
  const theirs = await errorsOfFasterWhisper(voice, all, chunks);
  const rate = percent(wordErrorRate(ours));
  if (!theirs) return `| ${voice} | ${all.length} | ${rate} | not run | |`;
  const pairs = ours.map((own, i) => [own, theirs[i]!] as const);
  const { low, high } = bootstrapInterval(pairs, (drawn) => {
    return 100 * (wordErrorRate(drawn.map(([a]) => a)) - wordErrorRate(drawn.map(([, b]) => b)));
  });
  const difference = `${low.toFixed(1)} to ${high.toFixed(1)}`;
  const theirRate = percent(wordErrorRate(theirs));
  return `| ${voice} | ${all.length} | ${rate} | ${theirRate} | ${difference} |`;
}

function errorsOf(voice: Voice, reference: string, text: string): WordErrors {
  return countWordErrors(normaliseWords(reference, voice), normaliseWords(text, voice));
}

async function errorsOfFasterWhisper(
  voice: Voice,
  all: readonly Utterance[],
  chunks: readonly (readonly Spoken[])[],
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
    const written = await fasterWhisper(files);
    return (
      written &&
      all.map(({ text }, i) => {
        const own = written.filter((_, file) => files[file]!.utterance === i);
        return errorsOf(voice, text, own.map((one) => one.text).join(' '));
      })
    );
  });
}

async function wordTimes(pool: InferencePool, voice: Voice): Promise<string> {
  const joined = await joinPrompts(await telephonePrompts(voice));
  // Those of even numbers were looked at while the alignment was written.
  const kept = joined.filter((_, i) => i % 2 === 1).slice(0, joinedPerLanguage);
  const start: number[] = [];
  const end: number[] = [];
  let words = 0;
  for (const recording of kept) {
    const heard = await hear(pool, await chunksOf(pool, recording.pcm), voice);
    const errors = wordTimeErrors(recording.words, heard);
    start.push(...errors.start);
    end.push(...errors.end);
    words += errors.referenceWords;
  }
  const within = (errors: readonly number[]): string => percent(shareWithin(errors, tolerance));
  return `| ${voice} | ${start.length} of ${words} | ${within(start)} | ${within(end)} |`;
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}
