// The plan of a recording once its chunks were heard: voice activity may have been wrong.
import { stepsOf, windowOf } from '../../contract/served-models.ts';
import type { AnalyzedChunk } from '../analyzed-chunk.ts';
import type { AnalyzedRecording } from '../analyzed-recording.ts';
import { silentPlan, type RecordingPlan } from './plan.ts';

/**
 * Where voice activity was unsure of the speech, and neither the speech check nor the recogniser
 * has found any, the recording is one without speech. Windows of a fixed length stay.
 */
export function planOfHeard({
  request,
  audio,
  plan,
  chunks,
}: Pick<AnalyzedRecording, 'request' | 'audio' | 'plan' | 'chunks'>): RecordingPlan {
  const isFaint = plan.chunks.length > 0 && plan.chunks.every((chunk) => chunk.isFaint);
  if (!isFaint || windowOf(request.model) || chunks.some(isHeard)) return plan;
  const silent = silentPlan({ steps: stepsOf(request), samples: audio.samples });
  return { ...silent, ...(plan.outline && { outline: plan.outline }) };
}

function isHeard({ words, written, scored }: AnalyzedChunk): boolean {
  return words.length > 0 || (written?.text ?? '') !== '' || scored.length > 0;
}
