// Maps a stored result to the synthetic-speech result of interface.md.
import { areFloorLogits } from '../../models/affect/no-speech.ts';
import { syntheticModel } from '../../models/contract/served-models.ts';
import type { FinishedRun } from '../runs/runs.ts';
import { durationOf, resultId, scoreOf, timeWithin } from '../results/result-fields.ts';
import type { SyntheticResult } from '../results/schemas.ts';
import { toUsage } from '../results/usage.ts';

const threshold = 0.5;
/** The score of a longer clip is an average over windows, which was not validated. */
const longSeconds = 20;

export function toSyntheticResult(
  { organizationId, attempt, result }: FinishedRun,
  requestId: string,
): SyntheticResult {
  const duration = durationOf(result);
  const score = scoreOf(result.logits?.[0] ?? 0);
  const time = timeWithin(duration);
  const spoken = result.segments.map(({ logits }) => logits !== null && !areFloorLogits(logits));
  const segments = result.segments.map((segment, i) => {
    const own = scoreOf(segment.logits?.[0] ?? 0);
    return {
      start: time(segment.start),
      // At 16 kHz the last window may end before the source does, but has to reach its end.
      end: i === result.segments.length - 1 ? duration : time(segment.end),
      synthetic_score: own,
      prediction: predictionOf(own),
    };
  });
  const ofSpeech = segments.filter((_, i) => spoken[i]);
  const mixed = new Set(ofSpeech.map(({ prediction }) => prediction)).size > 1;
  return {
    object: 'synthetic_speech.result',
    model: syntheticModel,
    model_revision: '2026-10-05-adapt-216',
    duration,
    prediction: predictionOf(score),
    synthetic_score: score,
    threshold,
    score_type: 'uncalibrated_sigmoid',
    aggregation: 'coverage_weighted_mean_logit',
    segments,
    warnings: [
      ...(duration > longSeconds ? ['long_audio_aggregation_is_experimental'] : []),
      ...(mixed ? ['segments_disagree'] : []),
      ...(spoken.includes(false) ? [noSpeechWarning(ofSpeech.length)] : []),
      // Hardly any engine is found in another language, so the score says little there.
      ...(result.unlikelyEnglish ? ['other_language_detected'] : []),
    ],
    id: resultId({ organizationId, requestId, attempt }),
    usage: toUsage({
      model: syntheticModel,
      task: 'synthetic_speech',
      audioSeconds: duration,
      billableSeconds: 0,
    }),
  };
}

/** Without speech the score is that of no speech elsewhere, and so the prediction is human. */
function noSpeechWarning(windowsOfSpeech: number): string {
  return windowsOfSpeech === 0 ? 'no_speech_detected' : 'segments_without_speech';
}

function predictionOf(score: number): 'human' | 'synthetic' {
  return score >= threshold ? 'synthetic' : 'human';
}
