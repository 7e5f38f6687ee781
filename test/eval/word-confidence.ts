// Calibration of word confidences: how close they are to the probability of a correct word.
import type { LoadedModels } from '../../models/inference/loaded-models.ts';
import { alignPhones, wordConfidence } from '../../models/alignment/word-aligner.ts';
import { toFloat } from '../../models/audio/waveform.ts';
import { normaliseWords } from '../metrics/text-normalisation.ts';
import { matchedWords } from '../metrics/word-time-error.ts';
import { percent } from './chunked-recognition.ts';
import { readPcm, secondLanguageSpeech, telephonePrompts, type Utterance } from './speech-data.ts';

/** Lines: calibration error on half of the speech, with the weights in use and with a new fit. */
export async function evaluateConfidence(models: LoadedModels): Promise<readonly string[]> {
  const utterances = [...(await telephonePrompts()), ...(await secondLanguageSpeech(0, 200))];
  const words = await scoreWords(models, utterances);
  const fitted = words.filter(({ utterance }) => utterance % 2 === 0);
  const unseen = words.filter(({ utterance }) => utterance % 2 === 1);
  if (unseen.length === 0) return ['skipped: its recordings are not on this machine'];
  const inUse = models.recognizer.wordAligner.confidence;
  const right = unseen.filter((word) => word.right).length / unseen.length;
  return [
    `${unseen.length} words, ${percent(right)} right: expected calibration error ` +
      percent(expectedCalibrationError(unseen, inUse)),
    `a new fit on the other half: ${JSON.stringify(fitConfidence(fitted))}`,
  ];
}

/** The calibration's inputs for one decoded word. */
interface ScoredWord {
  readonly meanLogProbability: number;
  readonly minLogProbability: number;
  readonly fit: number;
  readonly right: boolean;
  /** Index of the utterance. */
  readonly utterance: number;
}

const maxSamples = 30 * 16_000;

/** Decodes utterances of at most 30 s, each as one chunk. */
async function scoreWords(
  { recognizer: { encoder, decoder, phoneScorer, wordAligner } }: LoadedModels,
  utterances: readonly Utterance[],
): Promise<readonly ScoredWord[]> {
  const words: ScoredWord[] = [];
  for (const [utterance, { path, text }] of utterances.entries()) {
    const pcm = await readPcm(path);
    if (pcm.length > maxSamples) continue;
    const samples = toFloat(pcm);
    const encoded = await encoder.encode(samples);
    const [spelled = []] = await decoder.decode([encoded]);
    const scores = await phoneScorer.score(encoded);
    const parts = wordAligner.pronouncer.partsOf(spelled.map(({ word }) => word));
    const aligned = alignPhones(parts, scores);
    const right = matchedWords(
      normaliseWords(text),
      spelled.map(({ word }) => normaliseWords(word).join(' ')),
    );
    spelled.forEach(({ meanLogProbability, minLogProbability }, i) => {
      const fit = aligned?.[i]?.fit ?? 0;
      words.push({ meanLogProbability, minLogProbability, fit, right: right.has(i), utterance });
    });
  }
  return words;
}

type ConfidenceWeights = Parameters<typeof wordConfidence>[2];

/** Platt's scaling by gradient descent on the cross-entropy. */
function fitConfidence(words: readonly ScoredWord[]): ConfidenceWeights {
  const names = ['bias', 'meanLogProbability', 'minLogProbability', 'fit'] as const;
  const weights = { bias: 0, meanLogProbability: 0, minLogProbability: 0, fit: 0 };
  for (let step = 0; step < 4_000; step += 1) {
    const gradient = { bias: 0, meanLogProbability: 0, minLogProbability: 0, fit: 0 };
    for (const word of words) {
      const error = wordConfidence(word, word.fit, weights) - (word.right ? 1 : 0);
      const inputs = { ...word, bias: 1 };
      for (const name of names) gradient[name] += (error * inputs[name]) / words.length;
    }
    for (const name of names) weights[name] -= 0.5 * gradient[name];
  }
  return weights;
}

/** Mean gap of confidence and accuracy over ten equal bins, weighted (Naeini et al. 2015). */
function expectedCalibrationError(
  words: readonly ScoredWord[],
  weights: ConfidenceWeights,
): number {
  const bins = Array.from({ length: 10 }, () => ({ confidence: 0, right: 0 }));
  for (const word of words) {
    const confidence = wordConfidence(word, word.fit, weights);
    const bin = bins[Math.min(9, Math.floor(confidence * 10))]!;
    bin.confidence += confidence;
    bin.right += word.right ? 1 : 0;
  }
  const gaps = bins.map(({ confidence, right }) => Math.abs(confidence - right));
  return gaps.reduce((sum, gap) => sum + gap, 0) / Math.max(1, words.length);
}
