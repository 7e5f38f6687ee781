// A head over pooled encoder layers: one logit per class for each span.
import { join } from 'node:path';
import { frameCentreSeconds, type EncodedSpeech } from '../asr/moonshine-encoder.ts';
import type { TimeSpan } from '../audio/samples.ts';
import { createSession } from '../onnx/session.ts';
import { float32Output, float32Tensor, pickFeeds, type Tensor } from '../onnx/tensor.ts';

export interface PooledHead {
  /**
   * Logits of each span; [] for no spans.
   * @param beside what the head reads of each span besides the encoder's layers, by input
   */
  score(
    encoded: EncodedSpeech,
    spans: readonly TimeSpan[],
    beside?: Readonly<Record<string, Tensor>>,
  ): Promise<readonly Float32Array[]>;
}

/** @param classes number of logits: those of both views for affect, 1 for synthetic speech */
export async function loadPooledHead(
  directory: string,
  { model, classes }: { readonly model: string; readonly classes: number },
): Promise<PooledHead> {
  const session = await createSession(join(directory, model));
  return {
    async score(encoded, spans, beside = {}) {
      if (spans.length === 0) return [];
      const weights = poolingWeights(encoded, spans);
      const tensors = {
        ...encoded.layers,
        ...beside,
        weights: float32Tensor(weights, [spans.length, encoded.frames]),
      };
      const outputs = await session.run(pickFeeds(tensors, session.inputNames));
      const { data } = float32Output(outputs, 'logits', [spans.length, classes]);
      return spans.map((_, i) => data.slice(i * classes, (i + 1) * classes));
    },
  };
}

/**
 * Row-major [spans, frames]: equal weights, summing to one, over the frames whose centre lies in
 * the span; a span between two centres uses the nearest frame.
 */
function poolingWeights(encoded: EncodedSpeech, spans: readonly TimeSpan[]): Float32Array {
  const { frames } = encoded;
  const weights = new Float32Array(spans.length * frames);
  const centres = Array.from({ length: frames }, (_, i) => frameCentreSeconds(encoded, i));
  spans.forEach(({ start, end }, row) => {
    let first = centres.findIndex((centre) => centre >= start);
    if (first < 0) first = frames - 1;
    let last = first;
    while (last + 1 < frames && centres[last + 1]! < end) last += 1;
    weights.fill(1 / (last - first + 1), row * frames + first, row * frames + last + 1);
  });
  return weights;
}
