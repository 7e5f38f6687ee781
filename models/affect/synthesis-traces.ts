// What the first layers of the speaker encoder tell about a voice, which the recogniser's do not:
// traces of its synthesis (training/synthesis_traces.py). CAM++, Wang et al. 2023.
import { atCommonLevel } from '../audio/common-level.ts';
import { sampleRate } from '../audio/sample-rate.ts';
import type { TimeSpan } from '../audio/samples.ts';
import type { SpeakerEmbeddingManifest } from '../bundles/manifest.ts';
import { createGraphSession } from '../onnx/graph-session.ts';
import { float32Output, float32Tensor } from '../onnx/tensor.ts';

export interface SynthesisTraces {
  /** Values of a span. */
  readonly size: number;
  /**
   * Row-major [spans, size].
   * @param samples of the chunk, 16 kHz mono
   */
  read(samples: Float32Array, spans: readonly TimeSpan[]): Promise<Float32Array>;
}

/** A shorter span is padded with zeros: its frames would be too few for a difference. */
const leastSamples = 4_000;

export async function loadSynthesisTraces(
  directory: string,
  { traces: { graph, size }, files }: SpeakerEmbeddingManifest,
): Promise<SynthesisTraces> {
  const names = files.map(({ name }) => name);
  const session = await createGraphSession([graph], directory, names);
  return {
    size,
    async read(samples, spans) {
      const rows = new Float32Array(spans.length * size);
      for (const [i, span] of spans.entries()) {
        const part = atCommonLevel(partOf(samples, span));
        const outputs = await session.run({ samples: float32Tensor(part, [1, part.length]) });
        rows.set(float32Output(outputs, 'traces', [1, size]).data, i * size);
      }
      return rows;
    },
  };
}

function partOf(samples: Float32Array, { start, end }: TimeSpan): Float32Array {
  const part = samples.subarray(
    Math.max(0, Math.floor(start * sampleRate)),
    Math.max(0, Math.floor(end * sampleRate)),
  );
  if (part.length >= leastSamples) return part;
  const padded = new Float32Array(leastSamples);
  padded.set(part);
  return padded;
}
