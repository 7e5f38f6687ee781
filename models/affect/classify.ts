// Maps the readings of each segment to its 31 logits. A segment is compared with the rest of its
// recording, because voices and channels differ more than emotions do.
import { emotionLabels, styleLabels } from '../contract/labels.ts';
import { familiarShare } from './familiarity.ts';
import { dot, times } from './linear.ts';
import { floorLogits, minSpeechLogit } from './no-speech.ts';
import { meanOverTime } from './select.ts';
import type { AffectWeights } from '../bundles/head-weights.ts';

export interface SegmentReadings {
  /** Seconds from the start of the recording. */
  readonly start: number;
  readonly end: number;
  /** Index of the speaker, when it is known. */
  readonly speaker: number | null;
  /**
   * The functionals, followed by the encoder's class logits, absolute, then relative ones, and the
   * logit of speech.
   */
  readonly readings: readonly number[];
}

/** Segments with a shorter pause between them count as one utterance. */
const pauseSeconds = 0.3;
/** With this many other utterances the comparison with the recording gets its full weight ... */
const fullTrustUtterances = 4;
/**
 * ... except for this share of the absolute view, without which a recording in one mood would be
 * neutral throughout.
 */
const absoluteShare = 0.1;
/** Functionals are clipped at this many standard deviations, as more is an artefact. */
const maxDeviations = 4;
/** What a shorter segment says counts for less: the heads saw 2 s at a time. */
const fullSeconds = 1;

/**
 * One row of 31 logits per segment, 15 emotions, then 16 styles; the floor logits for a segment
 * without speech.
 */
export function classifySegments(
  weights: AffectWeights,
  segments: readonly SegmentReadings[],
): readonly (readonly number[])[] {
  const all = segments.map((segment) => normalise(segment, weights));
  const spoken = all.filter(({ speechLogit }) => speechLogit >= minSpeechLogit);
  const contexts = new Map(
    [...Map.groupBy(spoken, ({ speaker }) => speaker)].map(
      ([speaker, own]) => [speaker, contextOf(own)] as const,
    ),
  );
  const withSpeech = new Set(spoken);
  return all.map((segment) =>
    withSpeech.has(segment)
      ? labelLogits(segment, contexts.get(segment.speaker)!, weights)
      : floorLogits(),
  );
}

interface NormalisedSegment extends SegmentReadings {
  /** Functionals in standard deviations from their mean. */
  readonly normal: readonly number[];
  readonly encoder: { readonly absolute: readonly number[]; readonly relative: readonly number[] };
  readonly speechLogit: number;
}

function normalise(
  segment: SegmentReadings,
  { mean, deviation, encoderBias }: AffectWeights,
): NormalisedSegment {
  const count = mean.length;
  const classes = encoderBias.length;
  const normal = mean.map((value, i) => {
    const deviations = (segment.readings[i]! - value) / deviation[i]!;
    return Math.min(maxDeviations, Math.max(-maxDeviations, deviations));
  });
  const encoder = {
    absolute: segment.readings.slice(count, count + classes),
    relative: segment.readings.slice(count + classes, count + 2 * classes),
  };
  // Chunks that an earlier version analysed have none.
  const speechLogit = segment.readings[count + 2 * classes] ?? minSpeechLogit;
  return { ...segment, normal, encoder, speechLogit };
}

/** The average of a recording, or of one speaker in it. */
interface Context {
  readonly normal: readonly number[];
  readonly encoder: readonly number[];
  /** Weight of the relative view, 0-1; a single utterance has nothing to be compared with. */
  readonly trust: number;
}

function contextOf(segments: readonly NormalisedSegment[]): Context {
  const meanOf = (values: (segment: NormalisedSegment) => readonly number[]): readonly number[] =>
    meanOverTime(segments.map((s) => ({ values: values(s), seconds: s.end - s.start })));
  const ordered = segments.toSorted((a, b) => a.start - b.start);
  const utterances = ordered.filter((segment, i) => {
    return i === 0 || segment.start - ordered[i - 1]!.end >= pauseSeconds;
  }).length;
  return {
    normal: meanOf(({ normal }) => normal),
    encoder: meanOf(({ encoder }) => encoder.relative),
    trust: Math.min(1, (utterances - 1) / fullTrustUtterances) * (1 - absoluteShare),
  };
}

function labelLogits(
  { normal, encoder, start, end }: NormalisedSegment,
  context: Context,
  weights: AffectWeights,
): readonly number[] {
  const { trust } = context;
  const alone = (1 - trust) * familiarShare(normal, weights.familiar);
  const certainty = Math.min(1, (end - start) / fullSeconds);
  const relative = normal.map((value, i) => value - context.normal[i]!);
  const own = times(normal, weights.absolute);
  const against = times(relative, weights.relative);
  const classes = weights.places.map((_, i) => {
    const absolute = own[i]! + encoder.absolute[i]!;
    const change = encoder.relative[i]! - context.encoder[i]! + weights.encoderBias[i]!;
    return certainty * (alone * absolute + trust * (against[i]! + change));
  });
  const measured = normal.map((value, i) => certainty * (alone * value + trust * relative[i]!));
  const inputs = affectCoordinates(classes, measured, weights);
  return [...emotionLabels, ...styleLabels].map((label) => {
    const recorded = label in weights.recorded ? weights.recorded[label as never] : undefined;
    if (recorded !== undefined) return posteriorLogit(classes, recorded);
    const placed = weights.placed[label]!;
    return placed.bias + dot(inputs, placed.weights);
  });
}

/**
 * Valence, arousal, dominance, their squared length, and the measures that determine unrecorded
 * labels.
 */
function affectCoordinates(
  classes: readonly number[],
  normal: readonly number[],
  { places, functionals, measures }: AffectWeights,
): readonly number[] {
  const max = Math.max(...classes);
  const shares = classes.map((logit) => Math.exp(logit - max));
  const total = shares.reduce((a, b) => a + b, 0);
  const coordinates = places[0]!.map((_, axis) => {
    return shares.reduce((sum, share, i) => sum + (share / total) * places[i]![axis]!, 0);
  });
  const measured = measures.map((name) => normal[functionals.indexOf(name)]!);
  return [...coordinates, dot(coordinates, coordinates), ...measured];
}

/** Log odds of a class against all others. */
function posteriorLogit(classes: readonly number[], own: number): number {
  const otherClasses = classes.filter((_, i) => i !== own);
  const max = Math.max(...otherClasses);
  const sum = otherClasses.reduce((total, logit) => total + Math.exp(logit - max), 0);
  return classes[own]! - max - Math.log(sum);
}
