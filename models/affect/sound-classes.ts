// Whether a span sounds like speech rather than music or noise: inaSpeechSegmenter's network, over
// its published weights (training/sound_classes_graph.py).
import { sampleRate } from '../audio/sample-rate.ts';
import type { TimeSpan } from '../audio/samples.ts';
import type { SoundClassesManifest } from '../bundles/manifest.ts';
import { createGraphSession } from '../onnx/graph-session.ts';
import { float32Output, float32Tensor, int64Tensor } from '../onnx/tensor.ts';

export interface SoundClasses {
  /**
   * Log-odds of speech, the mean over windows of 0.7 s in the span. The level does not matter.
   * @param samples 16 kHz mono
   */
  speechLogOdds(samples: Float32Array, span: TimeSpan): Promise<number>;
}

const hopSamples = sampleRate / 100;
const windowHops = 68;
/** From one window to the next; of a long span, more: it is enough to hear parts. */
const stepSeconds = 0.2;
const maxWindows = 8;

/** Doukhan et al. 2018, "An Open-Source Speaker Gender Detection Framework". */
export async function loadSoundClasses(
  directory: string,
  { model, files }: SoundClassesManifest,
): Promise<SoundClasses> {
  const names = files.map(({ name }) => name);
  const session = await createGraphSession([model], directory, names);
  return {
    async speechLogOdds(samples, span) {
      const { part, starts } = windowsOf(samples, span);
      const outputs = await session.run({
        samples: float32Tensor(part, [1, part.length]),
        starts: int64Tensor(BigInt64Array.from(starts, BigInt), [starts.length]),
      });
      const { data } = float32Output(outputs, 'speech', [starts.length]);
      return data.reduce((sum, odds) => sum + odds, 0) / starts.length;
    },
  };
}

/** The samples around a span, silence beyond the recording, and in them the windows' first hops. */
export function windowsOf(
  samples: Float32Array,
  { start, end }: TimeSpan,
): { readonly part: Float32Array; readonly starts: readonly number[] } {
  const count = Math.max(1, Math.min(maxWindows, Math.round((end - start) / stepSeconds)));
  const hops = ((end - start) * sampleRate) / hopSamples;
  // The middle of a window lies in the span, so that half of one is on each side.
  const first = Math.round(start * sampleRate) - (windowHops / 2) * hopSamples;
  // A frame is longer than a hop.
  const part = new Float32Array(Math.ceil(hops + windowHops + 2) * hopSamples);
  const known = samples.subarray(Math.max(0, first), Math.max(0, first + part.length));
  part.set(known, Math.max(0, -first));
  const starts = Array.from({ length: count }, (_, i) => Math.round(((i + 0.5) * hops) / count));
  return { part, starts };
}
