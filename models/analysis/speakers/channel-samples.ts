// Samples of channels that are compared with each other, and how.
import { createDelayFinder, type FoundDelay } from '../../audio/delay.ts';
import { sampleRate } from '../../audio/sample-rate.ts';
import type { ReadSamples } from '../../audio/samples.ts';
import { hopSamples } from '../../vad/hops.ts';

export interface Channels {
  /** Samples of one channel; they follow each other. */
  readonly samples: number;
  readonly read: ReadSamples;
}

/** A conference bridge or a satellite; what leads is the other channel's own delay. */
export const maxDelayHops = 19;
export const maxLeadHops = 1;
/** A channel as loud as this in the other is no leak of it. */
export const maxGain = 10 ** (-4 / 10);
/** Half of the samples: telephone speech has little above. */
const rate = sampleRate / 2;
/** At that rate. */
export const samplesPerHop = hopSamples / 2;

/** For windows of so many hops. */
export function delayFinder(
  hops: number,
): (holding: Float32Array, held: Float32Array) => FoundDelay {
  return createDelayFinder({
    ...{ rate, samples: hops * samplesPerHop, band: [250, 3_400] },
    ...{
      maxDelaySamples: maxDelayHops * samplesPerHop,
      maxLeadSamples: maxLeadHops * samplesPerHop,
    },
  });
}

/** At half the rate; zeros before the first and after the last sample. */
export async function readHops(
  { samples, read }: Channels,
  channel: number,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<Float32Array> {
  const start = Math.min(samples, Math.max(0, from * hopSamples));
  const end = Math.min(samples, to * hopSamples);
  const first = channel * samples;
  const pcm = await read({ startSample: first + start, endSample: first + end });
  const halved = new Float32Array((to - from) * samplesPerHop);
  const offset = (start - from * hopSamples) / 2;
  for (let i = 0; 2 * i < pcm.length; i += 1) {
    const [before = 0, own = 0, after = 0] = [pcm[2 * i - 1], pcm[2 * i], pcm[2 * i + 1]];
    halved[offset + i] = (before + 2 * own + after) / 4;
  }
  return halved;
}

export function measurePowers(powers: Float32Array, pcm: Float32Array, from: number): void {
  const end = Math.min(powers.length, from + pcm.length / samplesPerHop);
  for (let i = Math.max(0, from); i < end; i += 1) {
    let sum = 0;
    for (let n = (i - from) * samplesPerHop; n < (i - from + 1) * samplesPerHop; n += 1)
      sum += pcm[n]! ** 2;
    powers[i] = sum / samplesPerHop;
  }
}

export function sumOf(powers: Float32Array, from: number, to: number): number {
  let sum = 0;
  for (let i = Math.max(0, from); i < Math.min(powers.length, to); i += 1) sum += powers[i]!;
  return sum;
}

/** A room keeps a sound for a moment, and a delay is no whole number of hops. */
export function loudestAbout(powers: Float32Array, at: number): number {
  return Math.max(...[-2, -1, 0, 1].map((step) => powers[at + step] ?? 0));
}
