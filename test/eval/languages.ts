// Text in several languages, through the pipeline of Spectra-2; beside it, on the same recordings
// and weights, faster-whisper, greedy, on one thread, when EVAL_WHISPER names its model folder.
import { languagesOf } from '../../models/bundles/catalog.ts';
import { modelRow, spectraModel } from '../../models/contract/served-models.ts';
import type { InferencePool } from '../../models/inference/jobs.ts';
import { textChunks } from '../../models/analysis/plan/plan.ts';
import { normaliseWords } from '../metrics/text-normalisation.ts';
import { countWordErrors, wordErrorRate } from '../metrics/wer.ts';
import { chunksOf, job, percent } from './chunked-recognition.ts';
import { fasterWhisper, type FileTranscript } from './faster-whisper.ts';
import { readPcm, secondLanguageSpeech, telephonePrompts, type Utterance } from './speech-data.ts';

const request = { words: false, language: 'en', text: true, head: null, spans: [] } as const;
/** Prompts of three words and more, so many per language. */
const perLanguage = 80;
const minWords = 3;
const voices = ['en', 'es', 'fr', 'it', 'ru'] as const;

export async function evaluateLanguages(pool: InferencePool): Promise<readonly string[]> {
  const head = [
    '| speech | utterances | WER | language right | s | faster-whisper WER | language right | s |',
    '|---|---|---|---|---|---|---|---|',
  ];
  const rows: string[] = [];
  for (const voice of voices) {
    const prompts = (await telephonePrompts(voice)).filter(
      ({ text }) => text.split(/\s+/).length >= minWords && !/\d/.test(text),
    );
    const step = Math.max(1, Math.floor(prompts.length / perLanguage));
    const some = prompts.filter((_, i) => i % step === 0).slice(0, perLanguage);
    rows.push(await compare(pool, `${voice}, telephone prompts`, { language: voice, all: some }));
  }
  const second = (await secondLanguageSpeech(18, 200)).slice(0, perLanguage);
  rows.push(await compare(pool, 'en, Mandarin speakers', { language: 'en', all: second }));
  const languages = languagesOf(modelRow(spectraModel));
  const unevaluated = languages.filter((code) => !(voices as readonly string[]).includes(code));
  return [...head, ...rows, '', `No recordings here: ${unevaluated.join(', ')}.`];
}

interface SpeechSet {
  readonly language: string;
  readonly all: readonly Utterance[];
}

async function compare(pool: InferencePool, name: string, set: SpeechSet): Promise<string> {
  if (set.all.length === 0) return `| ${name} | skipped: not on this machine | | | | | | |`;
  const here: FileTranscript[] = [];
  for (const { path } of set.all) here.push(await transcribe(pool, await readPcm(path)));
  const reference = await fasterWhisper(set.all.map(({ path }) => ({ path, language: null })));
  return `| ${name} | ${set.all.length} | ${columns(here, set)} | ${columns(reference, set)} |`;
}

function columns(
  transcripts: readonly FileTranscript[] | null,
  { language, all }: SpeechSet,
): string {
  if (!transcripts) return 'not run | | ';
  const errors = transcripts.map(({ text }, i) =>
    countWordErrors(normaliseWords(all[i]!.text, language), normaliseWords(text, language)),
  );
  const right = transcripts.filter((one) => one.language === language).length;
  const seconds = transcripts.reduce((sum, one) => sum + one.seconds, 0);
  return `${percent(wordErrorRate(errors))} | ${right} | ${seconds.toFixed(1)}`;
}

async function transcribe(pool: InferencePool, pcm: Int16Array): Promise<FileTranscript> {
  const startedAt = performance.now();
  const texts: string[] = [];
  let language: string | null = null;
  for (const chunk of await chunksOf(pool, pcm, textChunks)) {
    const { written } = await pool.analyze(chunk.pcm, request, job);
    language ??= written!.language;
    texts.push(written!.text);
  }
  return { text: texts.join(' '), language, seconds: (performance.now() - startedAt) / 1_000 };
}
