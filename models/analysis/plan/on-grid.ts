// Plans a recording whose hops of voice activity do not begin with its first sample; pure.
import { sampleRate } from '../../audio/sample-rate.ts';
import { silenceAround } from './chunk-plan.ts';
import type { PlannedChunk, PlannedSegment, RecordingPlan } from './plan.ts';

export interface OnClock {
  /** Length of the recording at 16 kHz. */
  readonly samples: number;
  /** Turns of the diarizer; null without diarization. */
  readonly turns: readonly PlannedSegment[] | null;
}

/**
 * @param startSample where the first hop begins, before the recording or in it
 * @param plan plans on the clock of the hops, whose recording begins with the first
 * @returns the same on the clock of the recording
 */
export function planOnGrid(
  startSample: number,
  { samples, turns }: OnClock,
  plan: (onHops: OnClock) => RecordingPlan,
): RecordingPlan {
  const seconds = startSample / sampleRate;
  const end = samples / sampleRate;
  const moved = (segment: PlannedSegment, by: number, last: number): PlannedSegment => ({
    ...segment,
    // What begins with the one begins with the other.
    start: segment.start === 0 ? 0 : Math.max(0, segment.start + by),
    end: Math.min(last, segment.end + by),
  });
  const samplesOnHops = Math.max(1, samples - startSample);
  const endOnHops = samplesOnHops / sampleRate;
  const planned = plan({
    samples: samplesOnHops,
    turns: turns && turns.map((turn) => moved(turn, -seconds, endOnHops)),
  });
  return {
    ...planned,
    chunks: planned.chunks.map((chunk) => movedChunk(chunk, startSample, samples)),
    segments: planned.segments && planned.segments.map((each) => moved(each, seconds, end)),
  };
}

/** The silence in a chunk is what its padding lacks of the recording, which begins elsewhere. */
function movedChunk(
  { silence, ...chunk }: PlannedChunk,
  by: number,
  samples: number,
): PlannedChunk {
  const { beforeSamples = 0, afterSamples = 0 } = silence ?? {};
  const padded = {
    startSample: chunk.startSample - beforeSamples + by,
    endSample: chunk.endSample + afterSamples + by,
  };
  const startSample = Math.max(0, padded.startSample);
  const later = (chunk.startSample + by - startSample) / sampleRate;
  return {
    ...chunk,
    startSample,
    endSample: Math.min(samples, padded.endSample),
    ...silenceAround(padded, samples),
    spans: chunk.spans.map((span) => ({
      ...span,
      start: span.start + later,
      end: span.end + later,
    })),
  };
}
