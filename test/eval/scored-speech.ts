// Whether anything of a recording would be scored, as recorded, quiet and noisy.
import { affectOf } from '../../models/affect/affect-model.ts';
import { classifySegments } from '../../models/affect/classify.ts';
import { areFloorLogits } from '../../models/affect/no-speech.ts';
import type { InferencePool } from '../../models/inference/jobs.ts';
import { createRandom } from '../support/random.ts';
import { scoredSegments } from './scored-segments.ts';

const model = 'svc-resonance';

/** Seeded, so that each run hears the same. */
export const versions = {
  'as recorded': (pcm) => pcm,
  'loudest at -40 dBFS': (pcm) => {
    const peak = pcm.reduce((most, value) => Math.max(most, Math.abs(value)), 1);
    return pcm.map((value) => Math.round((value * 327.68) / peak));
  },
  'noise at 15 dB': (pcm, seed) => {
    const random = createRandom(seed);
    const power = pcm.reduce((sum, value) => sum + value * value, 0) / pcm.length;
    const width = Math.sqrt(12 * power) * 10 ** (-15 / 20);
    return pcm.map((value) => {
      const noisy = Math.round(value + width * (random() - 0.5));
      return Math.max(-32_768, Math.min(32_767, noisy));
    });
  },
} satisfies Readonly<Record<string, (pcm: Int16Array, seed: number) => Int16Array>>;

export type Version = keyof typeof versions;
export const allVersions = Object.keys(versions) as Version[];

/** @param pcm at most 30 s */
export async function isScored(pool: InferencePool, pcm: Int16Array): Promise<boolean> {
  if (pcm.length === 0) return false;
  const logits = classifySegments(affectOf(model)!.weights, await scoredSegments(pool, pcm, model));
  return logits.some((row) => !areFloorLogits(row));
}
