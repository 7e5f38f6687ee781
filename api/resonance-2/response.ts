// Maps a stored result to the Resonance-2 result of interface.md.
import { headRevision, labelCalibration } from '../../models/bundles/catalog.ts';
import type { IdOfShape } from '../../models/contract/catalog.ts';
import { modelRow } from '../../models/contract/served-models.ts';
import { ratePerMinute } from '../../models/contract/charge-rate.ts';
import { scoreWindows, type Regime } from '../../models/affect/resonance-2.ts';
import type { FinishedRun } from '../runs/runs.ts';
import { durationOf, resultId } from '../results/result-fields.ts';
import type { Resonance2Result } from '../results/schemas.ts';
import { rateText, toUsage } from '../results/usage.ts';

const minutesPerHour = 60;

interface Resonance2Answer {
  readonly requestId: string;
  readonly model: IdOfShape<'resonance-2'>;
  readonly regime: Regime;
}

export function toResonance2Result(
  { organizationId, attempt, result }: FinishedRun,
  { requestId, model, regime }: Resonance2Answer,
): Resonance2Result {
  const duration = durationOf(result);
  const windows = result.segments.flatMap(({ logits }) => (logits ? [logits] : []));
  const abstained = windows.length === 0;
  const row = modelRow(model);
  const calibration = labelCalibration(row);
  const usage = toUsage({
    model,
    task: 'affect',
    audioSeconds: duration,
    billableSeconds: result.billableSeconds,
  });
  const { labels, ...scores } = scoreWindows(windows, calibration.content, regime);
  const hourly = rateText(minutesPerHour * ratePerMinute({ model, task: 'affect' }));
  return {
    model,
    model_revision: headRevision(row),
    calibration_revision: calibration.revision,
    duration,
    window_count: result.segments.length,
    aggregation: 'mean_window_logits',
    ...scores,
    labels: [...labels],
    regime,
    calibrated: true,
    abstained,
    abstention_reason: abstained ? 'digital_silence' : null,
    inference_ms: result.inferenceMs,
    id: resultId({ organizationId, requestId, attempt }),
    object: 'speech.affect.result',
    task: 'affect',
    usage: { ...usage, rate_per_hour_usd: hourly },
  };
}
