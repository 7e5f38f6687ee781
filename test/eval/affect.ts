// The affect heads: what training measured on held-out speakers, an English corpus that no head was
// trained on, and read speech that should be neutral.
import { readdir, readFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import { classifySegments, type SegmentReadings } from '../../models/affect/classify.ts';
import { areFloorLogits, floorLogits } from '../../models/affect/no-speech.ts';
import { meanOverTime, selectLabels, type AffectModel } from '../../models/affect/select.ts';
import { affectOf } from '../../models/affect/affect-model.ts';
import { sampleRate } from '../../models/audio/sample-rate.ts';
import type { ModelId } from '../../models/contract/catalog.ts';
import { emotionLabels } from '../../models/contract/labels.ts';
import { sigmoid } from '../../models/asr/sigmoid.ts';
import type { InferencePool } from '../../models/inference/jobs.ts';
import { createRandom, shuffled } from '../support/random.ts';
import { percent } from './chunked-recognition.ts';
import { trimmed } from './dialogues.ts';
import { scoredSegments } from './scored-segments.ts';
import { dataPath, heldOutReaders, readPcm, telephonePrompts } from './speech-data.ts';

const figuresPath = new URL('../../models/weights/affect-figures.json', import.meta.url);
const models = ['svc-resonance', 'svc-fourier'] as const;
const maxSamples = 30 * sampleRate;

/** Emotions that the validation corpus and the heads have in common, by its file names. */
const recorded: Readonly<Record<string, string>> = {
  angry: 'angry',
  disgust: 'disgusted',
  fear: 'scared',
  happy: 'happy',
  neutral: 'neutral',
  sad: 'sad',
};
const six = Object.values(recorded);
/** A third of the corpus's words, drawn before anything was selected: for `affect-last-words`. */
const lastWords = new Set(
  (
    'cab calm cause chain chair chalk date dead dime dip fail far five gap hole hurl juice keen ' +
    'king laud learn lid loaf love nag note perch phone pick rag rain raise rat room rush sell ' +
    'shall shawl sheep tell third time vote wash week wire yes young'
  ).split(' '),
);
const joinedRecordings = 200;
const bins = 5;

interface ReadClip {
  /** Without speech: none. */
  readonly segments: readonly SegmentReadings[];
  readonly seconds: number;
}

interface Clip extends ReadClip {
  readonly emotion: string;
}

/** Lines: held-out recall from the training run, then the other corpus, then neutral speech. */
export async function evaluateAffect(
  pool: InferencePool,
  { last = false }: { readonly last?: boolean } = {},
): Promise<readonly string[]> {
  const figures = JSON.parse(await readFile(figuresPath, 'utf8')) as Record<
    string,
    Record<string, number>
  >;
  const conditions = ['wide band', 'telephone', 'noise'];
  const lines = [
    '| head | recall of six, a speaker left out: wide band | telephone | noise |',
    '|---|---|---|---|',
    ...Object.keys(figures)
      .filter((name) => name.startsWith('affect-'))
      .map((name) => {
        const shares = conditions.map((key) => figures[name]![key]!.toFixed(3));
        return `| ${name} | ${shares.join(' | ')} |`;
      }),
    '',
  ];
  for (const model of models) {
    const head = affectOf(model)!;
    lines.push(...(await otherCorpus(pool, model, { head, last })));
    lines.push(...(await neutralSpeech(pool, model, head)));
  }
  return lines;
}

async function otherCorpus(
  pool: InferencePool,
  model: ModelId,
  { head, last }: { readonly head: AffectModel; readonly last: boolean },
): Promise<readonly string[]> {
  const folder = dataPath('tess-older-actress');
  if (!existsSync(folder)) return [`${model}: the validation corpus is not on this machine`];
  const names = (await readdir(folder)).filter((name) => name.endsWith('.ogg')).toSorted();
  const wordOf = (name: string): string => basename(name, '.ogg').replace(/^[a-z]+_/, '');
  const used = names.filter((name) => {
    return lastWords.has(wordOf(name)) === last && name.split('_')[0]! in recorded;
  });
  const clips: Clip[] = [];
  for (const name of used) {
    const emotion = recorded[name.split('_')[0]!]!;
    clips.push({ emotion, ...(await readClip(pool, model, `${folder}/${name}`)) });
  }
  return [
    `${model}, other corpus, ${last ? 'last third' : 'first two thirds'} of the words:`,
    `clip by clip: ${describe(clips.map((clip) => classified([clip], head)[0]!))}`,
    `six joined, half of them neutral: ${describe(joined(clips, head))}`,
  ];
}

function joined(clips: readonly Clip[], head: AffectModel): readonly ClassifiedClip[] {
  const random = createRandom(6);
  const of = (neutral: boolean) => clips.filter((c) => (c.emotion === 'neutral') === neutral);
  return Array.from({ length: joinedRecordings }, () => {
    const calm = shuffled(of(true), random).slice(0, 3);
    const moved = shuffled(of(false), random).slice(0, 3);
    return classified(shuffled([...calm, ...moved], random), head);
  }).flat();
}

interface ClassifiedClip {
  readonly emotion: string;
  readonly found: string;
  readonly score: number;
}

/** The clips as one recording, with half a second between them. */
function classified(clips: readonly Clip[], { weights }: AffectModel): readonly ClassifiedClip[] {
  let offset = 0;
  const joinedSegments = clips.flatMap(({ segments, seconds }, clip) => {
    const before = offset;
    offset += seconds + 0.5;
    return segments.map((own) => ({
      ...{ ...own, clip },
      ...{ start: before + own.start, end: before + own.end },
    }));
  });
  const rows = classifySegments(weights, joinedSegments);
  return clips.map((_, i) => {
    const own = joinedSegments.map((segment, row) => ({ ...segment, values: rows[row]! }));
    const logits = logitsOf(own.filter(({ clip }) => clip === i));
    const scores = six.map((label) => sigmoid(logits[emotionLabels.indexOf(label as never)]!));
    const score = Math.max(...scores);
    return { emotion: clips[i]!.emotion, found: six[scores.indexOf(score)]!, score };
  });
}

/** Of a clip, as the service averages its segments. */
function logitsOf(
  segments: readonly (SegmentReadings & { readonly values: readonly number[] })[],
): readonly number[] {
  if (segments.length === 0) return floorLogits();
  return meanOverTime(segments.map(({ start, end, values }) => ({ seconds: end - start, values })));
}

function describe(all: readonly ClassifiedClip[]): string {
  const right = all.filter(({ emotion, found }) => emotion === found);
  const recallOf = (label: string): number =>
    right.filter(({ emotion }) => emotion === label).length /
    all.filter(({ emotion }) => emotion === label).length;
  const recalls = six.map(recallOf);
  const sure = all.filter(({ emotion, found, score }) => emotion !== found && score >= 0.7);
  const reliability = Array.from({ length: bins }, (_, bin) => {
    const own = all.filter(({ score }) => Math.min(bins - 1, Math.floor(score * bins)) === bin);
    if (own.length === 0) return '-';
    const mean = own.reduce((sum, { score }) => sum + score, 0) / own.length;
    const hits = own.filter(({ emotion, found }) => emotion === found).length / own.length;
    return `${mean.toFixed(2)}/${hits.toFixed(2)} (${own.length})`;
  });
  return [
    `right ${(right.length / all.length).toFixed(3)}`,
    `recall ${(recalls.reduce((a, b) => a + b, 0) / six.length).toFixed(3)}`,
    `(${six.map((label, i) => `${label} ${recalls[i]!.toFixed(2)}`).join(', ')})`,
    `wrong with 0.7 and more ${percent(sure.length / all.length)}`,
    `score/right in five bins ${reliability.join(' ')}`,
  ].join('; ');
}

/** Telephone prompts of an English voice and of readers that were not in the training data. */
async function neutralSpeech(
  pool: InferencePool,
  model: ModelId,
  head: AffectModel,
): Promise<readonly string[]> {
  const prompts = (await telephonePrompts()).map(({ path }) => path);
  const sentences = (await heldOutReaders()).flatMap(({ paths }) => paths.slice(0, 4));
  const lines: string[] = [];
  for (const [name, paths] of Object.entries({ prompts, sentences })) {
    if (paths.length === 0) continue;
    const counts = { neutral: 0, silenced: 0, emotions: 0, styles: 0 };
    for (const path of paths) {
      const { segments } = await readClip(pool, model, path);
      const rows = classifySegments(head.weights, segments);
      const logits = logitsOf(segments.map((segment, i) => ({ ...segment, values: rows[i]! })));
      const { emotions, styles } = selectLabels(logits, head);
      const emotional = emotions.some(({ label, score }) => label !== 'neutral' && score >= 0.5);
      counts.neutral += emotional ? 0 : 1;
      counts.silenced += areFloorLogits(logits) ? 1 : 0;
      counts.emotions += emotions.length;
      counts.styles += styles.length;
    }
    const mean = (sum: number): string => (sum / paths.length).toFixed(2);
    lines.push(
      `${model}, ${paths.length} ${name}: no emotion but neutral at 0.5 or more in ` +
        `${percent(counts.neutral / paths.length)}; without speech ` +
        `${percent(counts.silenced / paths.length)}; ${mean(counts.emotions)} emotions and ` +
        `${mean(counts.styles)} styles each`,
    );
  }
  return lines;
}

async function readClip(pool: InferencePool, model: ModelId, path: string): Promise<ReadClip> {
  const pcm = trimmed((await readPcm(path)).slice(0, maxSamples));
  return { segments: await scoredSegments(pool, pcm, model), seconds: pcm.length / sampleRate };
}
