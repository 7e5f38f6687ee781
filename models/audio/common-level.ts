// Scales samples to one level, or to at least one. Moonshine's first layer is not linear: without
// it, scores and words would change with the gain of a recording. Whisper reads quiet speech as
// other words, or as none.

/** 32 ms of 16 kHz. */
const hopSamples = 512;
/** Of the hops, so many are louder than the one that counts: single clicks do not. */
const louderShare = 0.05;
/** Root mean square of that hop, as it is in most of the recordings that heads were trained on. */
const target = 0.2;
/** Quieter chunks are no speech that anybody would hear. */
const maxGain = 64;

/** @param samples in -1..1 @returns a copy, which may be beyond that */
export function atCommonLevel(samples: Float32Array): Float32Array {
  const power = powerOfLoudHop(samples);
  if (power === 0) return samples.slice();
  const gain = Math.min(maxGain, target / Math.sqrt(power));
  return samples.map((sample) => sample * gain);
}

/** Root mean square of a loud hop of telephone prompts; half of them are louder. */
const least = 0.1;

/** Raises what is quiet and leaves the rest alone. @param samples in -1..1 */
export function atLeastLevel(samples: Float32Array): Float32Array {
  const power = powerOfLoudHop(samples);
  if (power === 0) return samples;
  const gain = Math.min(maxGain, least / Math.sqrt(power));
  return gain <= 1 ? samples : samples.map((sample) => sample * gain);
}

/** Mean square of a loud hop; of all samples where there are fewer than a hop. */
function powerOfLoudHop(samples: Float32Array): number {
  const hop = Math.min(hopSamples, samples.length);
  if (hop === 0) return 0;
  const powers = Float64Array.from({ length: Math.floor(samples.length / hop) }, (_, i) => {
    let squares = 0;
    for (let n = i * hop; n < (i + 1) * hop; n += 1) squares += samples[n]! * samples[n]!;
    return squares / hop;
  }).sort();
  return powers[Math.floor((1 - louderShare) * (powers.length - 1))]!;
}
