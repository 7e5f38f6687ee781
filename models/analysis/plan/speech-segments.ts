// Speech segments about as long as an utterance, which are scored one by one.
import { hopSeconds } from '../../vad/hops.ts';
import { bridgeGaps } from '../../vad/active-runs.ts';
import { quietestHop, type SpeechRegion } from '../../vad/speech-regions.ts';

/** Seconds from the start of the recording. */
export interface SpeechSegment {
  readonly start: number;
  readonly end: number;
}

/** A shorter pause does not end an utterance. */
const pauseHops = Math.round(0.3 / hopSeconds);
/** A longer segment may contain more than one emotion ... */
const maxHops = Math.round(6 / hopSeconds);
/** ... and a shorter one says little about any. */
const minHops = Math.round(2 / hopSeconds);

/** Regions joined over short pauses up to 6 s; one without a pause may be longer. */
export function joinUtterances(regions: readonly SpeechRegion[]): readonly SpeechRegion[] {
  return bridgeGaps(regions, pauseHops, maxHops);
}

/**
 * Joins regions over short pauses, and cuts segments of more than 6 s where speech is least likely.
 * @param probabilities of speech, one per hop
 */
export function segmentsToScore(
  regions: readonly SpeechRegion[],
  probabilities: Float32Array,
): readonly SpeechSegment[] {
  return joinUtterances(regions)
    .flatMap((region) => cutLong(region, probabilities))
    .map(({ startHop, endHop }) => ({ start: startHop * hopSeconds, end: endHop * hopSeconds }));
}

function cutLong(region: SpeechRegion, probabilities: Float32Array): readonly SpeechRegion[] {
  const pieces: SpeechRegion[] = [];
  let { startHop } = region;
  while (region.endHop - startHop > maxHops) {
    // The rest has to be long enough as well.
    const latest = Math.min(startHop + maxHops, region.endHop - minHops);
    const cut = quietestHop(probabilities, { from: startHop + minHops, to: latest });
    pieces.push({ startHop, endHop: cut });
    startHop = cut;
  }
  return [...pieces, { startHop, endHop: region.endHop }];
}
