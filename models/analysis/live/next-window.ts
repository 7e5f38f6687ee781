// Which part of a growing recording is recognised next for its interim text; pure.
import { sampleRate } from '../../audio/sample-rate.ts';
import type { SampleSpan } from '../../audio/samples.ts';

export interface LiveWindow extends SampleSpan {
  /** Its words can no longer change, because it is closed or ends in a pause. */
  readonly isComplete: boolean;
}

export interface GrowingRecording {
  /** Samples that have arrived. */
  readonly samples: number;
  /** Chunks of the speech in them, in order; the last one may still grow. */
  readonly chunks: readonly SampleSpan[];
  /** End of the last speech; 0 without any. */
  readonly speechEndSample: number;
  /** Whether exactly this chunk is analysed for the final result. */
  readonly isAnalyzed: (chunk: SampleSpan) => boolean;
}

export interface LiveProgress {
  /** End of the last complete window. */
  readonly completeSample: number;
  /** Latest end of a window of any kind. */
  readonly recognisedSample: number;
}

export const noProgress: LiveProgress = { completeSample: 0, recognisedSample: 0 };

/** Beyond the end of speech; its last word needs no more to be recognised. */
const contextSamples = 1_600;
/** Chunks have at most 12 s; a longer window means that voice activity is far behind. */
const maxSamples = 28 * sampleRate;

/**
 * Windows are chunks, in their order: each is recognised again while it grows, and once more when
 * it is complete. null while there is nothing new to recognise.
 */
export function nextWindow(
  { samples, chunks, speechEndSample, isAnalyzed }: GrowingRecording,
  { completeSample, recognisedSample }: LiveProgress,
): LiveWindow | null {
  const first = chunks.find((chunk) => chunk.endSample > completeSample);
  const last = chunks.at(-1);
  if (!first || !last) return null;
  const { startSample } = first;
  if (isAnalyzed(first)) return { ...spanOf(first), isComplete: true };
  // A chunk that ends before the recording does ends in a pause of half a second.
  const isComplete = last.endSample < samples;
  const endSample = isComplete ? last.endSample : samples;
  if (endSample - startSample > maxSamples) return null;
  const isNew = speechEndSample + contextSamples > recognisedSample;
  return isComplete || isNew ? { startSample, endSample, isComplete } : null;
}

function spanOf({ startSample, endSample }: SampleSpan): SampleSpan {
  return { startSample, endSample };
}
