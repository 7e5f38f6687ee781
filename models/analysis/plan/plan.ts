// Plans chunks and segments of a recording from its speech and, if known, its speakers.
import { sampleRate } from '../../audio/sample-rate.ts';
import { defaultChunkOptions, planChunks, type Chunk, type ChunkOptions } from './chunk-plan.ts';
import { silenceSeconds } from './chunk-samples.ts';
import type { LanguagePrior } from '../../asr/language-decision.ts';
import { renumber } from '../../diarization/turns.ts';
import { hopSeconds } from '../../vad/hops.ts';
import { holdsSpeech, speechSecondsIn, type SpeechRegion } from '../../vad/speech-regions.ts';
import { joinUtterances, segmentsToScore, type SpeechSegment } from './speech-segments.ts';
import type { RecordingOutline } from '../result/outline.ts';
import type { TaskSteps } from '../../contract/tasks.ts';

/** A segment that is known before its words; seconds from the start of the recording. */
export interface PlannedSegment {
  readonly start: number;
  readonly end: number;
  readonly speaker: number | null;
}

/** A span of speech in a chunk; seconds from its first sample. */
export interface PlannedSpan {
  /** Index of its segment; null when segments follow from the words. */
  readonly segment: number | null;
  readonly start: number;
  readonly end: number;
}

export interface PlannedChunk extends Chunk {
  /** Where the speech check looks, and what is scored; [] with neither words nor scores. */
  readonly spans: readonly PlannedSpan[];
  /** Whether there is speech in the spans is for the speech check to say. */
  readonly isFaint?: true;
  /** Of a stretch: where it may be, in seconds from the first sample; absent: in the spans. */
  readonly faintSpeech?: readonly SpeechSegment[];
  /** What is scored as one, and gives all spans their scores; absent: each span has its own. */
  readonly stretch?: SpeechSegment;
  /** Set when channels are analysed one by one; their samples follow each other. */
  readonly channel?: ChunkChannel;
}

export interface ChunkChannel {
  readonly index: number;
  /** First sample of the chunk on the recording's clock. */
  readonly clockSample: number;
}

export interface RecordingPlan {
  readonly chunks: readonly PlannedChunk[];
  /** null when segments follow from the words. */
  readonly segments: readonly PlannedSegment[] | null;
  /** null without diarization. */
  readonly speakers: number | null;
  /** Detected by voice activity. */
  readonly speechSeconds: number;
  /** The same by channel, when each is a speaker; absent otherwise. */
  readonly channelSpeechSeconds?: readonly number[];
  /** The caller gave the number of speakers. */
  readonly exactSpeakers?: true;
  /** Set when the result is kept. */
  readonly outline?: RecordingOutline;
  /** The chunks that were heard beforehand are hardly English (`probe-language.ts`). */
  readonly unlikelyEnglish?: true;
  /** What those chunks agree on, for the first reading of every chunk. */
  readonly prior?: LanguagePrior;
  /** Nothing is scored, not even as silence (Resonance-2 on digital silence). */
  readonly abstains?: true;
}

export interface PlanInput {
  readonly steps: TaskSteps;
  readonly regions: readonly SpeechRegion[];
  readonly probabilities: Float32Array;
  /** Voice activity is unsure of the regions. */
  readonly isFaint?: boolean;
  /** At 16 kHz. */
  readonly samples: number;
  /** Turns of the diarizer, in order of start; null without diarization. */
  readonly turns: readonly PlannedSegment[] | null;
  /** The caller gave the number of speakers, so each of them keeps a turn. */
  readonly exactSpeakers?: boolean;
  /** Overrides the chunk options of files. */
  readonly chunkOptions?: ChunkOptions | undefined;
}

/** The multilingual model was trained on 30 s and is more accurate with long context. */
export const textChunks: ChunkOptions = {
  ...defaultChunkOptions,
  targetSeconds: 25,
  maxSeconds: 28,
  maxGapSeconds: 3,
};
/** Without words, a pause this long ends a segment ... */
const pauseSeconds = 0.5;
/** ... and so does a shorter one if the segment would else be longer than this. */
const maxSegmentSeconds = 8;

export function planRecording(input: PlanInput): RecordingPlan {
  const { regions, probabilities, samples } = input;
  const options = input.chunkOptions ?? (input.steps.text ? textChunks : defaultChunkOptions);
  const chunks = planChunks(regions, probabilities, samples, options);
  if (chunks.length === 0) return silentPlan(input);
  const turns = input.turns && turnsOfSpeech(input, input.turns, chunks);
  const speakers = turns && new Set(turns.map((turn) => turn.speaker)).size;
  const segments = turns ?? segmentsWithoutTurns(input, chunks);
  const isHeard = input.steps.scores || input.steps.words || input.isFaint;
  const speechSegments = isHeard ? segmentsToScore(regions, probabilities) : [];
  return {
    chunks: chunks.map((chunk) => ({
      ...chunk,
      ...(input.isFaint && { isFaint: true }),
      spans: spansIn(chunk, { speechSegments, segments, regions }),
    })),
    segments,
    speakers,
    ...(turns && input.exactSpeakers && { exactSpeakers: true }),
    speechSeconds: secondsOf(regions, samples),
  };
}

/** When the diarizer finds no voice but the voice activity detector does, there is one speaker. */
function turnsOfSpeech(
  { regions, exactSpeakers = false }: PlanInput,
  turns: readonly PlannedSegment[],
  chunks: readonly Chunk[],
): readonly PlannedSegment[] {
  const spoken = turnsWithSpeech(turns, regions, exactSpeakers);
  if (spoken.length > 0) return spoken;
  return segmentsOfSpeech(regions, chunks).map((segment) => ({ ...segment, speaker: 0 }));
}

/**
 * Keeps the turns that contain detected speech, with speakers in order of appearance: music on hold
 * has voices for the speaker counter, but nothing to recognise or score. When the caller gave the
 * number of speakers and there is any speech, a speaker who would be left without a turn keeps the
 * silent ones.
 */
function turnsWithSpeech(
  turns: readonly PlannedSegment[],
  regions: readonly SpeechRegion[],
  exactSpeakers: boolean,
): readonly PlannedSegment[] {
  const spoken = new Set(turns.filter((turn) => speechSecondsIn(regions, turn) > 0));
  const speakers = new Set([...spoken].map(({ speaker }) => speaker));
  const keepsSilent = exactSpeakers && spoken.size > 0;
  const kept = turns.filter((turn) => {
    return spoken.has(turn) || (keepsSilent && !speakers.has(turn.speaker));
  });
  return renumber(kept);
}

function secondsOf(regions: readonly SpeechRegion[], samples: number): number {
  return speechSecondsIn(regions, wholeRecording(samples));
}

/**
 * Without speech, the tasks that score get the whole recording as one segment without labels and
 * without a speaker.
 */
export function silentPlan({
  steps,
  samples,
}: Pick<PlanInput, 'steps' | 'samples'>): RecordingPlan {
  const segments = steps.scores ? [wholeRecording(samples)] : [];
  return { chunks: [], segments, speakers: null, speechSeconds: 0 };
}

function wholeRecording(samples: number): PlannedSegment {
  return { start: 0, end: samples / sampleRate, speaker: null };
}

/** null when segments follow from the words. */
function segmentsWithoutTurns(
  { steps, regions, samples }: PlanInput,
  chunks: readonly Chunk[],
): readonly PlannedSegment[] | null {
  if (steps.words) return null;
  return steps.text ? [wholeRecording(samples)] : segmentsOfSpeech(regions, chunks);
}

/**
 * Speech between pauses, chunk by chunk. Utterances stay whole, so that they are scored as they are
 * where segments follow from the words.
 */
function segmentsOfSpeech(
  regions: readonly SpeechRegion[],
  chunks: readonly Chunk[],
): readonly PlannedSegment[] {
  const utterances = joinUtterances(regions);
  return chunks.flatMap((chunk) => {
    const from = chunk.startSample / sampleRate;
    const to = chunk.endSample / sampleRate;
    const segments: { start: number; end: number; speaker: null }[] = [];
    for (const { startHop, endHop } of utterances) {
      const start = Math.max(from, startHop * hopSeconds);
      const end = Math.min(to, endHop * hopSeconds);
      if (end <= start) continue;
      const last = segments.at(-1);
      const near = last && start - last.end < pauseSeconds;
      if (near && end - last.start <= maxSegmentSeconds) last.end = end;
      else segments.push({ start, end, speaker: null });
    }
    return segments;
  });
}

interface SpeechOfPlan {
  readonly speechSegments: readonly SpeechSegment[];
  readonly segments: readonly PlannedSegment[] | null;
  readonly regions: readonly SpeechRegion[];
}

/**
 * The parts of each speech segment within the chunk, by segment, where it contains speech. What
 * ends with the recording goes on in the silence behind it.
 */
function spansIn(
  chunk: Chunk,
  { speechSegments, segments, regions }: SpeechOfPlan,
): readonly PlannedSpan[] {
  const from = chunk.startSample / sampleRate;
  const recorded = chunk.endSample / sampleRate;
  const to = recorded + silenceSeconds(chunk).after;
  const owners = segments?.map(({ start, end }, segment) => {
    return { segment, start, end: end >= recorded ? Math.max(end, to) : end };
  });
  return (owners ?? [{ segment: null, start: from, end: to }]).flatMap((owner) => {
    const first = Math.max(owner.start, from);
    const last = Math.min(owner.end, to);
    if (last <= first || !holdsSpeech(regions, { start: first, end: last })) return [];
    return speechSegments.flatMap((speech) => {
      const start = Math.max(speech.start, first);
      const end = Math.min(speech.end, last);
      return end > start ? [{ segment: owner.segment, start: start - from, end: end - from }] : [];
    });
  });
}
