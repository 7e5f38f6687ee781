// Plans a decoded recording: who speaks when, where that is asked, and its languages meanwhile.
import type { RecordingRequest } from '../contract/recording-request.ts';
import type { InferencePool } from '../inference/jobs.ts';
import { probeLanguage, type Probing } from './languages/probe-language.ts';
import { planSpeech, type DecodedSpeech } from './plan/plan-speech.ts';
import type { RecordingPlan } from './plan/plan.ts';
import type { RecordingToDiarize } from './speakers/diarization-jobs.ts';
import { gridSamples, gridStart } from '../vad/sound-grid.ts';
import { findTurns } from './speakers/find-turns.ts';

export interface RecordingToPlan
  extends Omit<DecodedSpeech, 'turns' | 'startSample'>, Pick<Probing, 'read' | 'job'> {
  /** null where speakers are not separated by their voices. */
  readonly finding: RecordingToDiarize | null;
}

/** Turns do not change what is spoken, so that both are found at once and no process is idle. */
export async function planWithLanguages(
  pool: InferencePool,
  request: RecordingRequest,
  { finding, read, job, ...decoded }: RecordingToPlan,
): Promise<RecordingPlan> {
  const speech = { ...decoded, startSample: await startOfHops(request, { ...decoded, read }) };
  const planned = planSpeech(request, { ...speech, turns: null });
  const [turns, outlook] = await Promise.all([
    finding && findTurns(pool, finding),
    probeLanguage(pool, planned.chunks, { request, read, job }),
  ]);
  return { ...(turns ? planSpeech(request, { ...speech, turns }) : planned), ...outlook };
}

/** A channel that is heard apart has its hops from the first sample on, as the others have. */
async function startOfHops(
  { options }: RecordingRequest,
  { read, samples }: Pick<RecordingToPlan, 'read' | 'samples'>,
): Promise<number> {
  if (options.separateChannels) return 0;
  return gridStart(await read({ startSample: 0, endSample: Math.min(samples, gridSamples) }));
}
