// Plans a recording with one speaker per channel: each channel is planned on its own, without
// diarization.
import { findSpeechRegions } from '../../vad/speech-regions.ts';
import {
  planRecording,
  silentPlan,
  type PlannedChunk,
  type PlannedSegment,
  type RecordingPlan,
} from './plan.ts';
import type { ChunkOptions } from './chunk-plan.ts';
import type { TaskSteps } from '../../contract/tasks.ts';

export interface ChannelPlanInput {
  readonly steps: TaskSteps;
  /** Speech probabilities of each channel. */
  readonly probabilities: readonly Float32Array[];
  /** Length of one channel at 16 kHz; the channels follow each other in storage. */
  readonly samples: number;
  /** Overrides the chunk options of files. */
  readonly chunkOptions?: ChunkOptions | undefined;
}

interface ChannelSegment {
  readonly channel: number;
  /** Index of the segment in the channel's own plan. */
  readonly own: number;
  readonly planned: PlannedSegment;
}

/** Speech segments of all channels in order of their start; a silent channel has none. */
export function planChannels({ probabilities, ...shared }: ChannelPlanInput): RecordingPlan {
  const { steps, samples } = shared;
  const plans = probabilities.map((each) => planChannel(each, shared));
  const channelSpeechSeconds = plans.map((plan) => plan.speechSeconds);
  const silent = plans.every((plan) => plan.chunks.length === 0);
  // Like every recording without speech: one segment without a speaker for the tasks that score.
  if (silent) return { ...silentPlan({ steps, samples }), channelSpeechSeconds };
  const segments = plans
    .flatMap((plan, channel) =>
      (plan.segments ?? []).map((planned, own): ChannelSegment => ({ channel, own, planned })),
    )
    .toSorted((a, b) => a.planned.start - b.planned.start || a.channel - b.channel);
  const chunks = plans.flatMap((plan, channel) =>
    plan.chunks.map((chunk) => onChannel(chunk, { channel, samples, segments })),
  );
  return {
    chunks: chunks.map((chunk, index) => ({ ...chunk, index })),
    segments: segments.map(({ channel, planned }) => ({ ...planned, speaker: channel })),
    speakers: plans.length,
    speechSeconds: plans.reduce((sum, plan) => sum + plan.speechSeconds, 0),
    channelSpeechSeconds,
  };
}

/** Segments are the speech between pauses, whether or not words are recognised. */
function planChannel(
  probabilities: Float32Array,
  { steps, samples, chunkOptions }: Omit<ChannelPlanInput, 'probabilities'>,
): RecordingPlan {
  const regions = findSpeechRegions(probabilities);
  if (regions.length === 0) return { chunks: [], segments: [], speakers: null, speechSeconds: 0 };
  const spoken = { ...steps, words: false };
  const input = { steps: spoken, regions, probabilities, samples, turns: null, chunkOptions };
  return planRecording(input);
}

/** Moves a chunk to the position of its channel, and its spans to the indices of all segments. */
function onChannel(
  chunk: PlannedChunk,
  {
    channel,
    samples,
    segments,
  }: {
    readonly channel: number;
    readonly samples: number;
    readonly segments: readonly ChannelSegment[];
  },
): PlannedChunk {
  const offset = channel * samples;
  const numberOf = (own: number | null): number =>
    segments.findIndex((segment) => segment.channel === channel && segment.own === own);
  return {
    ...chunk,
    startSample: chunk.startSample + offset,
    endSample: chunk.endSample + offset,
    spans: chunk.spans.map((span) => ({ ...span, segment: numberOf(span.segment) })),
    channel: { index: channel, clockSample: chunk.startSample },
  };
}
