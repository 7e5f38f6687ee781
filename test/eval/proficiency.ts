// Pronunciation scores: right transcripts against swapped ones, native speakers against readers,
// and the calibration that the words of these recordings give.
import { modelRow, proficiencyModel } from '../../models/contract/served-models.ts';
import { proficiencyFiles } from '../../models/bundles/catalog.ts';
import type { InferencePool } from '../../models/inference/jobs.ts';
import { measureFluency } from '../../models/proficiency/measures.ts';
import type { PronouncedWord } from '../../models/proficiency/pronounced-word.ts';
import {
  components,
  meanScore,
  recordingScore,
  wordScore,
} from '../../models/proficiency/scores.ts';
import { sigmoid } from '../../models/contract/sigmoid.ts';
import { job, percent } from './chunked-recognition.ts';
import { readPcm, secondLanguageSpeech, telephonePrompts, type Utterance } from './speech-data.ts';

const maxSamples = 28 * 16_000;
const minWords = 5;

interface Pair {
  readonly right: readonly PronouncedWord[];
  readonly swapped: readonly PronouncedWord[];
}

export async function evaluateProficiency(pool: InferencePool): Promise<readonly string[]> {
  const prompts = (await telephonePrompts()).filter(
    ({ text }) => text.split(' ').length >= minWords,
  );
  const native = await pairs(pool, prompts.slice(0, 140));
  const adults = await pairs(pool, (await secondLanguageSpeech(18, 200)).slice(0, 90));
  const children = await pairs(pool, (await secondLanguageSpeech(0, 9)).slice(0, 90));
  const all = [...native, ...adults, ...children];
  if (all.length === 0) return ['skipped: its recordings are not on this machine'];
  const above = all.filter(({ right, swapped }) => scoreOf(right) > scoreOf(swapped)).length;
  const scores = (set: readonly Pair[]) => set.map(({ right }) => scoreOf(right));
  const { slope, offset } = fit(all);
  return [
    `right transcript above the swapped one: ${percent(above / all.length)} of ${all.length}`,
    `native above adult readers: AUC ${auc(scores(native), scores(adults)).toFixed(3)}`,
    `native above child readers: AUC ${auc(scores(native), scores(children)).toFixed(3)}`,
    `word calibration of these recordings: slope ${slope.toFixed(4)}, offset ${offset.toFixed(4)}`,
  ];
}

async function pairs(pool: InferencePool, all: readonly Utterance[]): Promise<readonly Pair[]> {
  const found: Pair[] = [];
  for (const [i, { path, text }] of all.entries()) {
    const pcm = await readPcm(path);
    if (pcm.length > maxSamples) continue;
    const words = text.split(/\s+/);
    // As many words of other sentences, so that only the words differ.
    const others = [7, 11, 13, 17].flatMap((n) => all[(i + n) % all.length]!.text.split(/\s+/));
    const right = await pool.pronounce(pcm, words, job);
    found.push({ right, swapped: await pool.pronounce(pcm, others.slice(0, words.length), job) });
  }
  return found;
}

function scoreOf(words: readonly PronouncedWord[]): number {
  const { calibration } = proficiencyFiles(modelRow(proficiencyModel));
  const scored = words.map((word) => ({ ...word, score: wordScore(word, calibration) }));
  return recordingScore(components(meanScore(scored) ?? 0, measureFluency(words)));
}

/** Logistic regression on the goodness of pronunciation, by Newton's method. */
function fit(all: readonly Pair[]): { readonly slope: number; readonly offset: number } {
  const points = all.flatMap(({ right, swapped }) => [
    ...right.filter(({ phones }) => phones > 0).map(({ gop }) => ({ gop, label: 1 })),
    ...swapped.filter(({ phones }) => phones > 0).map(({ gop }) => ({ gop, label: 0 })),
  ]);
  let [slope, offset] = [1, 1];
  for (let step = 0; step < 50; step += 1) {
    let [g0, g1, h00, h01, h11] = [0, 0, 1e-6, 0, 1e-6];
    for (const { gop, label } of points) {
      const p = sigmoid(slope * gop + offset);
      g0 += p - label;
      g1 += (p - label) * gop;
      h00 += p * (1 - p);
      h01 += p * (1 - p) * gop;
      h11 += p * (1 - p) * gop ** 2;
    }
    const determinant = h00 * h11 - h01 ** 2;
    offset -= (h11 * g0 - h01 * g1) / determinant;
    slope -= (h00 * g1 - h01 * g0) / determinant;
  }
  return { slope, offset };
}

/** Share of pairs in which the first set's value is the greater. */
function auc(greater: readonly number[], lesser: readonly number[]): number {
  const wins = greater.reduce(
    (sum, a) => sum + lesser.reduce((own, b) => own + (a > b ? 1 : a === b ? 0.5 : 0), 0),
    0,
  );
  return wins / (greater.length * lesser.length);
}
