// Calls that change their language and back: telephone prompts in English, then in another
// language, then in English again, with and without a pause at the change.
import type { AnalyzedChunk } from '../../models/analysis/analyzed-chunk.ts';
import { resolveLanguages } from '../../models/analysis/languages/resolve-languages.ts';
import { sampleRate } from '../../models/audio/sample-rate.ts';
import { joinSamples } from '../../models/audio/samples.ts';
import type { InferencePool } from '../../models/inference/jobs.ts';
import { normaliseWords } from '../metrics/text-normalisation.ts';
import { countWordErrors, wordErrorRate, type WordErrors } from '../metrics/wer.ts';
import { silence } from '../support/speech.ts';
import { createRandom, type Random } from '../support/random.ts';
import { analyzeSamples } from '../support/analyze-samples.ts';
import { job, percent } from './chunked-recognition.ts';
import { trimmed } from './dialogues.ts';
import { readPcm, telephonePrompts, type PromptLanguage, type Utterance } from './speech-data.ts';

const options = { diarize: false, numSpeakers: null, includeLogits: false };
const request = { task: 'transcription', model: 'svc-resonance', options } as const;
const others = ['es', 'fr', 'it', 'ru'] as const;
/** Pairs without English: related languages, which Whisper confuses, among them. */
const pairs = [
  ['es', 'it'],
  ['it', 'es'],
  ['fr', 'es'],
  ['it', 'ru'],
] as const;
const callsEach = 3;
const minWords = 4;
const pauseWithin = 0.3;
const seed = 20_261_122;

interface Part {
  readonly language: PromptLanguage;
  readonly seconds: number;
}

interface Call {
  readonly pcm: Int16Array;
  readonly words: readonly string[];
}

/** @param last evaluates the half of the prompts that nothing was chosen on */
export async function evaluateMixedLanguages(
  pool: InferencePool,
  { last = false } = {},
): Promise<readonly string[]> {
  const rows = ['| call | calls | words | WER as recognised first | WER | times of real time |'];
  rows.push('|---|---|---|---|---|---|');
  for (const other of others) {
    for (const pauseSeconds of [0.5, 0]) {
      const parts = [part('en', 15), part(other, 15), part('en', 12)];
      const name = `en, ${other}, en; ${pauseSeconds === 0 ? 'no pause' : 'pauses'} between`;
      rows.push(await evaluate(pool, { name, parts, pauseSeconds, last }));
    }
    const alone = { name: `${other} alone`, parts: [part(other, 30)], pauseSeconds: 0, last };
    rows.push(await evaluate(pool, alone));
  }
  for (const [one, other] of pairs) {
    const parts = [part(one, 15), part(other, 15), part(one, 12)];
    const name = `${one}, ${other}, ${one}`;
    rows.push(await evaluate(pool, { name, parts, pauseSeconds: 0.5, last }));
    const turn = [part(one, 20), part(other, 1), part(one, 20)];
    const single = `${one}, a sentence in ${other}, ${one}`;
    rows.push(await evaluate(pool, { name: single, parts: turn, pauseSeconds: 0.5, last }));
  }
  return rows;
}

function part(language: PromptLanguage, seconds: number): Part {
  return { language, seconds };
}

interface CallKind {
  readonly name: string;
  readonly parts: readonly Part[];
  /** At each change of language. */
  readonly pauseSeconds: number;
  readonly last: boolean;
}

async function evaluate(pool: InferencePool, kind: CallKind): Promise<string> {
  const random = createRandom(seed);
  const first: WordErrors[] = [];
  const settled: WordErrors[] = [];
  let [seconds, spentMs] = [0, 0];
  for (let i = 0; i < callsEach; i += 1) {
    const call = await makeCall(kind, random);
    const analyzed = await analyzeSamples(pool, { request, pcm: call.pcm }, job);
    first.push(countWordErrors(call.words, wordsOf(analyzed.chunks)));
    const parts = await resolveLanguages(pool, analyzed);
    settled.push(countWordErrors(call.words, wordsOf(parts)));
    seconds += call.pcm.length / sampleRate;
    spentMs += parts.reduce((sum, { inferenceMs }) => sum + inferenceMs, 0);
  }
  const words = settled.reduce((sum, { referenceWords }) => sum + referenceWords, 0);
  const rates = [first, settled].map((all) => percent(wordErrorRate(all)));
  const cells = [kind.name, callsEach, words, ...rates];
  return `| ${cells.join(' | ')} | ${(spentMs / 1_000 / seconds).toFixed(3)} |`;
}

async function makeCall(kind: CallKind, random: Random): Promise<Call> {
  const pieces: Int16Array[] = [];
  const words: string[] = [];
  for (const { language, seconds } of kind.parts) {
    if (pieces.length > 0) pieces.push(silence(kind.pauseSeconds));
    let samples = 0;
    while (samples < seconds * sampleRate) {
      const { path, text } = pick(await promptsOf(language, kind.last), random);
      const spoken = trimmed(await readPcm(path));
      if (samples > 0) pieces.push(silence(pauseWithin));
      pieces.push(spoken);
      samples += spoken.length;
      words.push(...normaliseWords(text, language));
    }
  }
  return { pcm: joinSamples([silence(0.3), ...pieces, silence(0.3)]), words };
}

async function promptsOf(language: PromptLanguage, last: boolean): Promise<readonly Utterance[]> {
  const all = (await telephonePrompts(language)).filter(
    ({ text }) => text.split(/\s+/).length >= minWords && !/\d/.test(text),
  );
  return all.filter((_, i) => (i % 2 === 1) === last);
}

function pick<T>(all: readonly T[], random: Random): T {
  return all[Math.floor(random() * all.length)]!;
}

function wordsOf(chunks: readonly AnalyzedChunk[]): readonly string[] {
  return chunks
    .toSorted((one, other) => one.index - other.index)
    .flatMap(({ words, language }) => {
      const text = words.map(({ word }) => word).join(' ');
      return normaliseWords(text, language ?? 'en');
    });
}
