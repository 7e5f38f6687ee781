// Plans a decoded recording: by channel when each is a speaker, or else by its turns.
import { planChannels } from './channel-plan.ts';
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
}

export function planSpeech(
  request: RecordingRequest,
  { channels, samples, turns }: DecodedSpeech,
): RecordingPlan {
  const steps = stepsOf(request);
  const language = languageOf(request);
  const isMultilingual = steps.words && language !== null && language !== 'en';
  const chunkOptions = isMultilingual ? textChunks : undefined;
  if (request.options.separateChannels) {
    return planChannels({ steps, probabilities: channels, samples, chunkOptions });
  }
  const probabilities = channels[0]!;
  const heard = hearSpeech(probabilities);
  const exactSpeakers = request.options.numSpeakers !== null;
  const planned = { steps, ...heard, probabilities, samples, turns, exactSpeakers, chunkOptions };
  return planRecording(planned);
}
