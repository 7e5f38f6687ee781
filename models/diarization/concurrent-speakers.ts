// Counts concurrent speakers in each hop, by a head on the layers of the recognition encoder.
import { join } from 'node:path';
import { frameCentreSeconds, type SpeechEncoder } from '../asr/moonshine-encoder.ts';
import type { SpeakerCountManifest } from '../bundles/manifest.ts';
import { createSession } from '../onnx/session.ts';
import { float32Output, pickFeeds } from '../onnx/tensor.ts';
import { countHopSeconds } from './hops.ts';

/** No voice, one voice, several voices. */
const classes = 3;

export interface SpeakerCounter {
  /**
   * Probabilities of exactly one and of several voices, row-major [hops, 2], for each hop of 24 ms.
   * @param samples 16 kHz mono in -1..1, at most 30 s
   */
  count(samples: Float32Array, encoder: SpeechEncoder): Promise<Float32Array>;
}

export async function loadSpeakerCounter(
  directory: string,
  { model }: SpeakerCountManifest,
): Promise<SpeakerCounter> {
  const session = await createSession(join(directory, model));
  return {
    async count(samples, encoder) {
      const wanted = session.inputNames;
      const encoded = await encoder.encode(samples, { wanted, asRecorded: true });
      const outputs = await session.run(pickFeeds(encoded.layers, wanted));
      const shape = [1, encoded.frames, classes];
      const { data } = float32Output(outputs, 'log_probabilities', shape);
      const hops = Math.ceil(encoded.durationSeconds / countHopSeconds);
      const counted = new Float32Array(hops * 2);
      const first = frameCentreSeconds(encoded, 0);
      for (let hop = 0; hop < hops; hop += 1) {
        const frame = Math.round(((hop + 0.5) * countHopSeconds - first) / countHopSeconds);
        const nearest = Math.min(encoded.frames - 1, Math.max(0, frame));
        counted[2 * hop] = Math.exp(data[nearest * classes + 1]!);
        counted[2 * hop + 1] = Math.exp(data[nearest * classes + 2]!);
      }
      return counted;
    },
  };
}
