// What the seams of chunks cost: prompts that are recognised without an error alone, joined to
// recordings of several chunks. A prompt beside a seam is compared with those within a chunk.
import { joinSamples } from '../../models/audio/samples.ts';
import { sampleRate } from '../../models/audio/sample-rate.ts';
import type { Word } from '../../models/asr/transcript.ts';
import type { InferencePool } from '../../models/inference/jobs.ts';
import { normaliseWords } from '../metrics/text-normalisation.ts';
import { countWordErrors } from '../metrics/wer.ts';
import { silence } from '../support/speech.ts';
import { chunksOf, percent, recogniseWords, type SpokenChunk } from './chunked-recognition.ts';
import { trimmed } from './dialogues.ts';
import { readPcm, telephonePrompts } from './speech-data.ts';

/** Shorter than what a chunk may hold, so that seams lie beside speech. */
const pauseSeconds = [0.15, 0.3, 0.6] as const;
const recordingSeconds = 100;
/** A word whose middle is this far outside of a prompt still belongs to it. */
const toleranceSeconds = 0.1;

interface ClearPrompt {
  readonly pcm: Int16Array;
  readonly words: readonly string[];
}

interface PlacedPrompt extends ClearPrompt {
  readonly start: number;
  readonly end: number;
}

/** Prompts that are recognised word by word when they are alone. */
async function clearPrompts(pool: InferencePool): Promise<readonly ClearPrompt[]> {
  const prompts = await Promise.all(
    (await telephonePrompts()).map(async ({ path, text }) => {
      const pcm = trimmed(await readPcm(path));
      const alone = joinSamples([silence(0.5), pcm, silence(0.5)]);
      const found = await recogniseWords(pool, await chunksOf(pool, alone), 'en');
      return { pcm, words: normaliseWords(text), found: wordsOf(found) };
    }),
  );
  return prompts.filter(({ words, found }) => words.length > 2 && errors(words, found) === 0);
}

function wordsOf(words: readonly Word[]): readonly string[] {
  return normaliseWords(words.map(({ word }) => word).join(' '));
}

function errors(words: readonly string[], found: readonly string[]): number {
  const { substitutions, deletions, insertions } = countWordErrors(words, found);
  return substitutions + deletions + insertions;
}

function join(prompts: readonly ClearPrompt[], pause: number) {
  const recordings: { pcm: Int16Array; prompts: readonly PlacedPrompt[] }[] = [];
  let parts = [silence(0.5)];
  let placed: PlacedPrompt[] = [];
  let seconds = 0.5;
  for (const [i, prompt] of prompts.entries()) {
    const end = seconds + prompt.pcm.length / sampleRate;
    placed.push({ ...prompt, start: seconds, end });
    parts.push(prompt.pcm, silence(pause));
    seconds = end + pause;
    if (seconds < recordingSeconds && i < prompts.length - 1) continue;
    recordings.push({ pcm: joinSamples(parts), prompts: placed });
    [parts, placed, seconds] = [[silence(0.5)], [], 0.5];
  }
  return recordings;
}

/** True if a chunk starts or ends within the prompt or in the pause beside it. */
function isAtSeam({ start, end }: PlacedPrompt, seams: readonly number[], pause: number): boolean {
  return seams.some((seam) => seam > start - pause && seam < end + pause);
}

function seamsOf(chunks: readonly SpokenChunk[]): readonly number[] {
  return chunks.slice(1).map(({ startSeconds }) => startSeconds);
}

/** Lines of a table of clear prompts with errors, at seams and elsewhere. */
export async function evaluateSeams(pool: InferencePool): Promise<readonly string[]> {
  const prompts = await clearPrompts(pool);
  const lines = ['| pauses | seams | prompts at a seam, wrong | other prompts, wrong |'];
  lines.push('|---|---|---|---|');
  for (const pause of pauseSeconds) {
    const [at, elsewhere] = [
      { all: 0, wrong: 0 },
      { all: 0, wrong: 0 },
    ];
    let seams = 0;
    for (const { pcm, prompts: placed } of join(prompts, pause)) {
      const chunks = await chunksOf(pool, pcm);
      const found = await recogniseWords(pool, chunks, 'en');
      const own = seamsOf(chunks);
      seams += own.length;
      for (const prompt of placed) {
        const within = found.filter(({ start, end }) => {
          const middle = (start + end) / 2;
          const { start: from, end: to } = prompt;
          return middle > from - toleranceSeconds && middle < to + toleranceSeconds;
        });
        const count = isAtSeam(prompt, own, pause) ? at : elsewhere;
        count.all += 1;
        if (errors(prompt.words, wordsOf(within)) > 0) count.wrong += 1;
      }
    }
    const cells = [at, elsewhere].map(({ all, wrong }) => {
      return `${wrong} of ${all} (${percent(wrong / Math.max(1, all))})`;
    });
    lines.push(`| ${pause} s | ${seams} | ${cells.join(' | ')} |`);
  }
  return lines;
}
