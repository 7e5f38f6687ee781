// From speech probabilities to regions of speech: hysteresis, then minimum lengths.

/** Hops `[startHop, endHop)` in which somebody speaks. */
export interface SpeechRegion {
  readonly startHop: number;
  readonly endHop: number;
}

/** Silero's own defaults: on at 0.5, off 0.15 lower, 250 ms of speech, 100 ms of silence. */
const onThreshold = 0.5;
const offThreshold = 0.35;
const minSpeechHops = 6;
const minSilenceHops = 3;

/**
 * Regions in order, disjoint. A region opens at 0.5 and closes below 0.35; silences of less than
 * about 100 ms are bridged and speech of less than about 190 ms is dropped, unless the whole
 * recording is that short.
 * @param probabilities one per hop
 */
export function findSpeechRegions(probabilities: Float32Array): readonly SpeechRegion[] {
  const bridged = bridge(hysteresis(probabilities));
  const minHops = Math.min(minSpeechHops, Math.ceil(probabilities.length / 2));
  return bridged.filter(({ startHop, endHop }) => endHop - startHop >= minHops);
}

function hysteresis(probabilities: Float32Array): SpeechRegion[] {
  const regions: SpeechRegion[] = [];
  let startHop = -1;
  for (let hop = 0; hop <= probabilities.length; hop += 1) {
    // Past the end counts as silence, which closes an open region.
    const probability = probabilities[hop] ?? 0;
    if (startHop < 0 && probability >= onThreshold) startHop = hop;
    else if (startHop >= 0 && probability < offThreshold) {
      regions.push({ startHop, endHop: hop });
      startHop = -1;
    }
  }
  return regions;
}

function bridge(regions: readonly SpeechRegion[]): SpeechRegion[] {
  const bridged: SpeechRegion[] = [];
  for (const region of regions) {
    const last = bridged.at(-1);
    if (last && region.startHop - last.endHop < minSilenceHops) {
      bridged[bridged.length - 1] = { startHop: last.startHop, endHop: region.endHop };
    } else bridged.push(region);
  }
  return bridged;
}
