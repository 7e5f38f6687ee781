// Text in several languages, through the pipeline of Spectra-2; beside it, on the same recordings
// and weights, faster-whisper, greedy, on one thread, when EVAL_WHISPER names its model folder.
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { planChunks } from '../../models/analysis/chunk-plan.ts';
import { languagesOf } from '../../models/bundles/catalog.ts';
import { modelRow, spectraModel } from '../../models/contract/served-models.ts';
import type { InferencePool } from '../../models/inference/jobs.ts';
import { textChunks } from '../../models/analysis/plan.ts';
import { findSpeechRegions } from '../../models/vad/speech-regions.ts';
import { normaliseWords } from '../metrics/text-normalisation.ts';
import { countWordErrors, wordErrorRate } from '../metrics/wer.ts';
import { readPcm, secondLanguageSpeech, telephonePrompts, type Utterance } from './speech-data.ts';

const run = promisify(execFile);
const job = { organizationId: 'eval', priority: 1 } as const;
const request = { words: false, language: 'en', text: true, head: null, spans: [] } as const;
/** Prompts of three words and more, so many per language. */
const perLanguage = 80;
const minWords = 3;
const voices = ['en', 'es', 'fr', 'it', 'ru'] as const;

interface Written {
  readonly text: string;
  readonly language: string | null;
  readonly seconds: number;
}

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
  const unheard = languages.filter((code) => !(voices as readonly string[]).includes(code));
  return [...head, ...rows, '', `No recordings here: ${unheard.join(', ')}.`];
}

interface SpeechSet {
  readonly language: string;
  readonly all: readonly Utterance[];
}

async function compare(pool: InferencePool, name: string, set: SpeechSet): Promise<string> {
  if (set.all.length === 0) return `| ${name} | skipped: not on this machine | | | | | | |`;
  const ours: Written[] = [];
  for (const { path } of set.all) ours.push(await write(pool, await readPcm(path)));
  const theirs = await fasterWhisper(set.all);
  return `| ${name} | ${set.all.length} | ${columns(ours, set)} | ${columns(theirs, set)} |`;
}

function columns(written: readonly Written[] | null, { language, all }: SpeechSet): string {
  if (!written) return 'not run | | ';
  const errors = written.map(({ text }, i) =>
    countWordErrors(normaliseWords(all[i]!.text, language), normaliseWords(text, language)),
  );
  const right = written.filter((one) => one.language === language).length;
  const seconds = written.reduce((sum, one) => sum + one.seconds, 0);
  return `${(100 * wordErrorRate(errors)).toFixed(1)} % | ${right} | ${seconds.toFixed(1)}`;
}

async function write(pool: InferencePool, pcm: Int16Array): Promise<Written> {
  const startedAt = performance.now();
  const probabilities = await pool.voiceActivity(pcm, job);
  const chunks = planChunks(
    findSpeechRegions(probabilities),
    probabilities,
    pcm.length,
    textChunks,
  );
  const texts: string[] = [];
  let language: string | null = null;
  for (const { startSample, endSample } of chunks) {
    const { written } = await pool.analyze(pcm.slice(startSample, endSample), request, job);
    language ??= written!.language;
    texts.push(written!.text);
  }
  return { text: texts.join(' '), language, seconds: (performance.now() - startedAt) / 1_000 };
}

const script = `
import json, sys, time
from faster_whisper import WhisperModel
model = WhisperModel(sys.argv[1], device="cpu", compute_type="int8", cpu_threads=1)
written = []
for path in json.load(open(sys.argv[2])):
    start = time.time()
    segments, info = model.transcribe(path, beam_size=1)
    text = "".join(segment.text for segment in segments)
    written.append({"text": text, "language": info.language, "seconds": time.time() - start})
json.dump(written, open(sys.argv[3], "w"))
`;

async function fasterWhisper(all: readonly Utterance[]): Promise<readonly Written[] | null> {
  const folder = process.env.EVAL_WHISPER;
  if (!folder) return null;
  const directory = await mkdtemp(join(tmpdir(), 'svc-eval-'));
  try {
    const [input, output] = ['in.json', 'out.json'].map((name) => join(directory, name));
    await writeFile(input!, JSON.stringify(all.map(({ path }) => path)));
    const python = process.env.EVAL_PYTHON ?? 'python3';
    const env = { ...process.env, OMP_NUM_THREADS: '1' };
    await run(python, ['-c', script, folder, input!, output!], { env });
    return JSON.parse(await readFile(output!, 'utf8')) as Written[];
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
