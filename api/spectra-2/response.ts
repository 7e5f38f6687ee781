// Maps a stored result to the Spectra2Result of interface.md: text and 31 scores.
import type { IdOfShape } from '../../models/contract/catalog.ts';
import { emotionLabels, styleLabels } from '../../models/contract/labels.ts';
import type { SpectraTask } from '../../models/contract/tasks.ts';
import type { FinishedRun } from '../runs/runs.ts';
import { durationOf, resultId, scoreOf } from '../results/result-fields.ts';
import type { Spectra2Result } from '../results/schemas.ts';
import { toUsage } from '../results/usage.ts';

interface SpectraAnswer {
  readonly requestId: string;
  readonly model: IdOfShape<'spectra-2'>;
  readonly task: SpectraTask;
}

export function toSpectra2Result(
  { organizationId, attempt, result }: FinishedRun,
  { requestId, model, task }: SpectraAnswer,
): Spectra2Result {
  const duration = durationOf(result);
  const { billableSeconds, text, logits } = result;
  const scored = (labels: readonly string[], offset: number) =>
    labels.map((label, i) => ({ label, score: scoreOf(logits?.[offset + i] ?? 0) }));
  const usage = toUsage({ model, task, audioSeconds: duration, billableSeconds });
  const { rate_per_request_usd: _, ...spectraUsage } = usage;
  return {
    id: resultId({ organizationId, requestId, attempt }),
    object: 'speech.result',
    model,
    task,
    text: text ?? '',
    duration,
    emotions: scored(emotionLabels, 0),
    styles: scored(styleLabels, emotionLabels.length),
    usage: spectraUsage,
  };
}
