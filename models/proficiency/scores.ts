// Scores from measures: words, components, recording, CEFR and fluency; pure.
import { sigmoid } from '../asr/sigmoid.ts';
import type { FluencyMeasures } from './measures.ts';
import type { PronouncedWord } from './pronounced-word.ts';

/** The calibration file; `npm run eval -- proficiency` prints its constants. */
export interface ProficiencyCalibration {
  /**
   * A word's score from its goodness of pronunciation, calibrated with correct against swapped
   * words.
   */
  readonly word: { readonly slope: number; readonly offset: number };
  /** Logistic regression of native speakers against readers of a second language. */
  readonly fluency: {
    readonly phonesPerSecond: number;
    readonly logRunWords: number;
    readonly offset: number;
  };
  /** The least goodness of pronunciation of a transcript that the recording says. */
  readonly transcript: { readonly leastGoodness: number };
}

export interface Components {
  readonly accuracy: number;
  readonly fluency: number;
  readonly prosody: number;
}

const cefrBands = ['A1', 'A2', 'B1', 'B2', 'C1', 'C2'] as const;
const fluencyBands = ['low', 'intermediate', 'high'] as const;

/** 0-1; null for a word that is not spoken. */
export function wordScore(
  { phones, gop }: Pick<PronouncedWord, 'phones' | 'gop'>,
  { word: { slope, offset } }: ProficiencyCalibration,
): number | null {
  return phones === 0 ? null : sigmoid(slope * gop + offset);
}

/** Mean goodness of pronunciation, weighted by the words' phones; null without a spoken word. */
export function meanGoodness(
  words: readonly Pick<PronouncedWord, 'phones' | 'gop'>[],
): number | null {
  const weight = words.reduce((sum, { phones }) => sum + phones, 0);
  if (weight === 0) return null;
  return words.reduce((sum, { phones, gop }) => sum + phones * gop, 0) / weight;
}

/** Mean of the words' scores, weighted by their phones; null without a scored word. */
export function meanScore(
  words: readonly { readonly phones: number; readonly score: number | null }[],
): number | null {
  const scored = words.filter(({ score }) => score !== null);
  const weight = scored.reduce((sum, { phones }) => sum + phones, 0);
  if (weight === 0) return null;
  return scored.reduce((sum, { phones, score }) => sum + phones * score!, 0) / weight;
}

/**
 * Prosody is set rather than trained: its midpoint lies between read speech of beginners and of
 * natives (models/weights/proficiency.md). Phones are counted rather than syllables, because they
 * tell the groups further apart.
 */
export function components(
  accuracy: number,
  measures: FluencyMeasures,
  { fluency: { phonesPerSecond, logRunWords, offset } }: ProficiencyCalibration,
): Components {
  const run = Math.log(Math.max(1, measures.mean_length_of_run_words));
  const fluency = sigmoid(
    phonesPerSecond * measures.articulation_rate_pps + logRunWords * run + offset,
  );
  const prosody = sigmoid((measures.vowel_npvi - 52) / 8);
  return { accuracy, fluency, prosody };
}

/** 0 low, 1 high. */
export function recordingScore({ accuracy, fluency, prosody }: Components): number {
  return 0.5 * accuracy + 0.4 * fluency + 0.1 * prosody;
}

export interface Graded<Band extends string> {
  readonly band: Band;
  readonly score: number;
  /** Sum to one. */
  readonly probabilities: Readonly<Record<Band, number>>;
}

/** Spread of a grade over the bands of its scale; a grade of low confidence is spread wider. */
const spreadBands = 0.8;
const lowConfidenceSpreadBands = 3;

/** @param lowConfidence the check found a reason not to rely on the grade */
export function gradeCefr(
  score: number,
  lowConfidence: boolean,
): Graded<(typeof cefrBands)[number]> {
  const position = 5 * clamp((score - 0.35) / 0.55);
  return graded(cefrBands, position, { scale: 5, lowConfidence });
}

export function gradeFluency(
  fluency: number,
  lowConfidence: boolean,
): Graded<(typeof fluencyBands)[number]> {
  const { band, probabilities } = graded(fluencyBands, 2 * fluency, { scale: 2, lowConfidence });
  return { band, probabilities, score: 10 * fluency };
}

/**
 * Probabilities of the bands: a normal curve around the position.
 * @param position on the scale of the bands: 0 is the first one
 */
function graded<Band extends string>(
  bands: readonly Band[],
  position: number,
  { scale, lowConfidence }: { readonly scale: number; readonly lowConfidence: boolean },
): Graded<Band> {
  const spread = lowConfidence ? lowConfidenceSpreadBands : spreadBands;
  const weights = bands.map((_, i) => Math.exp(-0.5 * ((i - position) / spread) ** 2));
  const sum = weights.reduce((total, weight) => total + weight, 0);
  const shares = roundedToOne(weights.map((weight) => weight / sum));
  const best = shares.indexOf(Math.max(...shares));
  const probabilities = Object.fromEntries(bands.map((band, i) => [band, shares[i]!]));
  return {
    band: bands[best]!,
    score: Math.min(scale, position),
    probabilities: probabilities as Record<Band, number>,
  };
}

/** Six decimals each; the largest takes the rounding error, so that they sum to one. */
function roundedToOne(shares: readonly number[]): readonly number[] {
  const millionths = shares.map((share) => Math.round(share * 1e6));
  const left = 1e6 - millionths.reduce((sum, value) => sum + value, 0);
  millionths[millionths.indexOf(Math.max(...millionths))]! += left;
  return millionths.map((value) => value / 1e6);
}

function clamp(value: number): number {
  return Math.min(1, Math.max(0, value));
}
