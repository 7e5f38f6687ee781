// Plans a clip that is scored in windows, whatever digital silence is around its sound.
import { edgeSamples } from '../audio/resample.ts';
import { sampleRate } from '../audio/sample-rate.ts';
import type { SampleSpan } from '../audio/samples.ts';
import type { AudioLength } from '../contract/billing.ts';
import type { WindowRule } from '../contract/catalog-row.ts';
import type { InferencePool, JobOptions } from '../inference/jobs.ts';
import { hopSamples } from '../vad/hops.ts';
import { gridStart } from '../vad/sound-grid.ts';
import { hearSpeech } from '../vad/speech-regions.ts';
import { isDigitalSilence, planFixedWindows } from './plan/fixed-windows.ts';
import type { RecordingPlan } from './plan/plan.ts';
import { segmentsToScore } from './plan/speech-segments.ts';
import { speechProbabilities } from './voice-activity.ts';

/** Digital silence is within so many steps of zero. */
const silentAmplitude = 1;

interface WindowedClip {
  readonly audio: AudioLength;
  /** All samples. */
  readonly pcm: Int16Array;
  /** Speech probabilities per hop, of the channels' mean. */
  readonly probabilities: readonly Float32Array[];
}

/** @param pool hears the sound alone where there is silence around it */
export async function planWindows(
  pool: Pick<InferencePool, 'size' | 'voiceActivity'>,
  { audio, pcm, probabilities }: WindowedClip,
  { windows, job }: { readonly windows: WindowRule; readonly job: JobOptions },
): Promise<RecordingPlan> {
  const { abstainsOnSilence = false } = windows;
  // Beside the zeros around a recording, resampling bends what is constant.
  const edge = edgeSamples(audio.sourceRate);
  const abstains = abstainsOnSilence && isDigitalSilence(pcm.subarray(edge, pcm.length - edge));
  const around = soundIn(pcm);
  const sound = around ? pcm.subarray(around.startSample, around.endSample) : pcm;
  const heard = around ? await speechProbabilities(pool, sound, job) : probabilities[0]!;
  const { regions, isFaint } = hearSpeech(heard);
  const firstSample = around?.startSample ?? 0;
  const first = firstSample / sampleRate;
  const hopsFrom = (firstSample + gridStart(sound)) / sampleRate;
  const speechSegments = segmentsToScore(regions, heard).map(({ start, end }) => {
    return { start: Math.max(first, start + hopsFrom), end: end + hopsFrom };
  });
  const plan = planFixedWindows({ ...audio, windows, speechSegments, isFaint, firstSample });
  return abstains ? { ...plan, chunks: [], abstains } : plan;
}

/** null where no silence is around it, or nothing else is there. */
function soundIn(pcm: Int16Array): SampleSpan | null {
  const isSound = (sample: number): boolean => Math.abs(sample) > silentAmplitude;
  const startSample = pcm.findIndex(isSound);
  const endSample = 1 + pcm.findLastIndex(isSound);
  const isAll = startSample === 0 && pcm.length - endSample < hopSamples;
  return startSample < 0 || isAll ? null : { startSample, endSample };
}
