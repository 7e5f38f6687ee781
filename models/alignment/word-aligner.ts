// Forced alignment: the phones of known words are aligned to frame scores, which gives word times
// and a fit.
import type { Word } from '../asr/transcript.ts';
import type { SpelledWord } from '../asr/spelled-words.ts';
import type { PhoneAlignerManifest } from '../bundles/manifest.ts';
import { sigmoid } from '../asr/sigmoid.ts';
import type { PhoneScores } from './phone-scores.ts';
import type { Pronouncer, SpokenPart } from './pronounce.ts';
import { alignStates, type FrameSpan, type StateSpan } from './viterbi.ts';
import { graphOf, statesOfWords, type WordGraph } from './word-graph.ts';

/** A word on the frames of its chunk. */
export interface AlignedWord {
  /** Phone classes in order, as it was said; [] for a word that is not spoken. */
  readonly phones: readonly number[];
  /** Frames of each phone. */
  readonly spans: readonly FrameSpan[];
  /** Frames of the whole word. */
  readonly span: FrameSpan;
  /**
   * Mean over the frames of the aligned phone's log-posterior minus that of the best phone; 0 is
   * best.
   */
  readonly fit: number;
}

/** A voice decays after the last frame that still resembles the phone; chosen on its card. */
const decaySeconds = 0.04;

/**
 * Aligns the words, each said in the way that fits best, with optional silence around each word.
 * @returns null when the chunk has fewer frames than the words have phones
 */
export function alignPhones(
  words: readonly (readonly SpokenPart[])[],
  scores: PhoneScores,
): readonly AlignedWord[] | null {
  const graph = graphOf(words);
  const path = alignStates(graph.states, graph.ends, scores);
  return path && wordsOn(statesOfWords(path, graph, words.length), graph, scores);
}

/** Aligns as many of the words, from the first, as the chunk contains. */
export function alignFirstPhones(
  words: readonly (readonly SpokenPart[])[],
  scores: PhoneScores,
): readonly AlignedWord[] {
  const graph = graphOf(words);
  const path = alignStates(graph.states, graph.anyEnds, scores) ?? [];
  const found = statesOfWords(path, graph, words.length);
  return wordsOn(found.slice(0, 1 + found.findLastIndex((own) => own.length > 0)), graph, scores);
}

function wordsOn(
  words: readonly (readonly StateSpan[])[],
  { states }: WordGraph,
  scores: PhoneScores,
): readonly AlignedWord[] {
  let at = 0;
  return words.map((spans) => {
    if (spans.length === 0) return { phones: [], spans, span: { start: at, end: at }, fit: 0 };
    const phones = spans.map(({ state }) => states[state]!.phone);
    const span = { start: spans[0]!.start, end: spans.at(-1)!.end };
    at = span.end;
    return { phones, spans, span, fit: fitOf(phones, spans, scores) };
  });
}

function fitOf(
  phones: readonly number[],
  spans: readonly FrameSpan[],
  scores: PhoneScores,
): number {
  const sum = phones.reduce((total, phone, i) => total + marginOf(phone, spans[i]!, scores), 0);
  const frames = spans.reduce((total, { start, end }) => total + end - start, 0);
  return sum / Math.max(1, frames);
}

/** Sum over the frames of a phone's log-posterior minus that of the likeliest phone. */
export function marginOf(
  phone: number,
  { start, end }: FrameSpan,
  { data, phones: classes }: PhoneScores,
): number {
  let sum = 0;
  for (let frame = start; frame < end; frame += 1) {
    let best = -Infinity;
    for (let other = 0; other < classes; other += 1) {
      best = Math.max(best, data[frame * classes + other]!);
    }
    sum += data[frame * classes + phone]! - best;
  }
  return sum;
}

export interface WordAlignerOptions {
  readonly pronouncer: Pronouncer;
  readonly confidence: PhoneAlignerManifest['confidence'];
}

/** A word in seconds from the start of its chunk, and how well its phones fit (`AlignedWord`). */
export interface PlacedWord {
  readonly start: number;
  readonly end: number;
  readonly fit: number;
}

/** Times of words, in order; those that cannot be aligned are spread evenly over the chunk. */
export function placeWords(
  words: readonly string[],
  scores: PhoneScores,
  pronouncer: Pronouncer,
): readonly PlacedWord[] {
  const aligned = alignPhones(pronouncer.partsOf(words), scores);
  const share = scores.frames / words.length;
  const spans = words.map(
    (_, i) => aligned?.[i]?.span ?? { start: i * share, end: (i + 1) * share },
  );
  return spans.map(({ start, end }, i) => {
    const next = scores.startSeconds(spans[i + 1]?.start ?? scores.frames);
    return {
      start: scores.startSeconds(start),
      end: Math.min(
        Math.max(next, scores.startSeconds(end)),
        scores.startSeconds(end) + decaySeconds,
      ),
      fit: aligned?.[i]?.fit ?? 0,
    };
  });
}

/**
 * Adds times and a calibrated confidence to decoded words. Words that cannot be aligned keep the
 * decoder's probability.
 */
export function timeWords(
  words: readonly SpelledWord[],
  scores: PhoneScores,
  { pronouncer, confidence }: WordAlignerOptions,
): readonly Word[] {
  const placed = placeWords(
    words.map(({ word }) => word),
    scores,
    pronouncer,
  );
  return placed.map(({ start, end, fit }, i) => {
    const spelled = words[i]!;
    const own = { confidence: wordConfidence(spelled, fit, confidence) };
    return { word: spelled.word, start, end, ...own };
  });
}

/** Platt scaling of the decoder's log-probability and the fit of the phones. */
export function wordConfidence(
  { meanLogProbability, minLogProbability }: Omit<SpelledWord, 'word'>,
  fit: number,
  weights: PhoneAlignerManifest['confidence'],
): number {
  const logit =
    weights.bias +
    weights.meanLogProbability * meanLogProbability +
    weights.minLogProbability * minLogProbability +
    weights.fit * fit;
  return sigmoid(logit);
}
