// The session of the phone aligner: encoder layers in, frame scores of every phone out.
import { join } from 'node:path';
import { frameStartSeconds, type EncodedSpeech } from '../asr/moonshine-encoder.ts';
import type { PhoneAlignerManifest } from '../bundles/manifest.ts';
import { createSession } from '../onnx/session.ts';
import { float32Output, pickFeeds } from '../onnx/tensor.ts';
import type { FrameScores } from './viterbi.ts';

/** Log-posteriors of a chunk, with the times of its frames. */
export interface PhoneScores extends FrameScores {
  /** Start of a frame in seconds from the start of the chunk, clamped to the chunk. */
  startSeconds(frame: number): number;
}

export interface PhoneScorer {
  /** The encoder's layers that it reads. */
  readonly layers: readonly string[];
  score(encoded: EncodedSpeech): Promise<PhoneScores>;
}

export async function loadPhoneScorer(
  directory: string,
  { model, phones }: PhoneAlignerManifest,
): Promise<PhoneScorer> {
  const session = await createSession(join(directory, model));
  return {
    layers: session.inputNames,
    async score(encoded) {
      const outputs = await session.run(pickFeeds(encoded.layers, session.inputNames));
      const shape = [1, encoded.frames, phones.length];
      const { data } = float32Output(outputs, 'log_posteriors', shape);
      const startSeconds = (frame: number): number =>
        Math.min(encoded.durationSeconds, Math.max(0, frameStartSeconds(encoded, frame)));
      return { data, frames: encoded.frames, phones: phones.length, startSeconds };
    },
  };
}
