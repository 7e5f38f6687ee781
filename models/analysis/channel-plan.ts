// A recording with a speaker on each channel: each channel is planned alone, nobody is guessed.
import { findSpeechRegions } from '../vad/speech-regions.ts';
import {
  planRecording,
  silentPlan,
  type PlannedChunk,
  type PlannedSegment,
  type RecordingPlan,
} from './plan.ts';
import type { ChunkOptions } from './chunk-plan.ts';
import type { TaskSteps } from '../contract/tasks.ts';

export interface ChannelPlanInput {
  readonly steps: TaskSteps;
  /** Speech probabilities of each channel. */
  readonly probabilities: readonly Float32Array[];
  /** Of one channel, at 16 kHz; the channels lie behind each other in storage. */
  readonly samples: number;
  /** Where the chunks of English are too short. */
  readonly chunkOptions?: ChunkOptions | undefined;
}

interface ChannelSegment {
  readonly channel: number;
  /** Its number in the channel's own plan. */
  readonly own: number;
  readonly planned: PlannedSegment;
}

/** Segments of speech by channel, in order of their start; a silent channel has none. */
export function planChannels({ probabilities, ...shared }: ChannelPlanInput): RecordingPlan {
  const { steps, samples } = shared;
  const plans = probabilities.map((each) => planChannel(each, shared));
  const channelSpeechSeconds = plans.map((plan) => plan.speechSeconds);
  const silent = plans.every((plan) => plan.chunks.length === 0);
  // As every recording without speech: one segment for the tasks that score, and nobody's.
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

/** Speech between pauses makes the segments, whether or not there will be words. */
function planChannel(
  probabilities: Float32Array,
  { steps, samples, chunkOptions }: Omit<ChannelPlanInput, 'probabilities'>,
): RecordingPlan {
  const regions = findSpeechRegions(probabilities);
  if (regions.length === 0) return { chunks: [], segments: [], speakers: null, speechSeconds: 0 };
  const spoken = { ...steps, words: false };
  const heard = { steps: spoken, regions, probabilities, samples, turns: null, chunkOptions };
  return planRecording(heard);
}

/** Moves a chunk to where its channel lies, and its spans to the numbers of all segments. */
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
