// Plans a decoded recording: by channel when each is a speaker, or else by its turns.
import { planChannels } from './channel-plan.ts';
import { planOnGrid } from './on-grid.ts';
import { planRecording, textChunks, type PlannedSegment, type RecordingPlan } from './plan.ts';
import type { RecordingRequest } from '../../contract/recording-request.ts';
import { languageOf, stepsOf } from '../../contract/served-models.ts';
import { hearSpeech } from '../../vad/speech-regions.ts';

export interface DecodedSpeech {
  /**
   * Speech probabilities per hop: of each channel when they are separate, or else of their mean.
   */
  readonly channels: readonly Float32Array[];
  /** Length of one channel at 16 kHz. */
  readonly samples: number;
  /** Turns of the diarizer; null without diarization. */
  readonly turns: readonly PlannedSegment[] | null;
  /** Where the first hop begins (`gridStart`): 0 where channels are separate. */
  readonly startSample: number;
}

export function planSpeech(
  request: RecordingRequest,
  { channels, startSample, ...onClock }: DecodedSpeech,
): RecordingPlan {
  const steps = stepsOf(request);
  const language = languageOf(request);
  const isMultilingual = steps.words && language !== null && language !== 'en';
  const chunkOptions = isMultilingual ? textChunks : undefined;
  if (request.options.separateChannels) {
    const { samples } = onClock;
    return planChannels({ steps, probabilities: channels, samples, chunkOptions });
  }
  const probabilities = channels[0]!;
  const heard = hearSpeech(probabilities);
  const exactSpeakers = request.options.numSpeakers !== null;
  const input = { steps, ...heard, probabilities, exactSpeakers, chunkOptions };
  return planOnGrid(startSample, onClock, (onHops) => planRecording({ ...input, ...onHops }));
}
