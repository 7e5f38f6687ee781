// Rates at which requests are charged: whole micro-dollars per audio minute.
import type { Rates, TaskName } from './catalog-row.ts';
import type { ModelId } from './catalog.ts';
import { modelRow } from './served-models.ts';

export interface PricedRequest {
  readonly model: ModelId;
  readonly task: TaskName;
  readonly options?: { readonly diarize: boolean; readonly includeLogits: boolean };
}

/** The tasks that a request is charged for: its own, and options with a rate of the model. */
export function pricedTasks({ model, task, options }: PricedRequest): readonly TaskName[] {
  const rates = ratesOf(model);
  const adds = (name: TaskName, wanted = false): readonly TaskName[] =>
    wanted && rates[name] !== undefined ? [name] : [];
  return [
    // A task without a rate of its own is charged as a transcription with options.
    rates[task] === undefined ? 'transcription' : task,
    ...adds('emotion_detection', options?.includeLogits),
    ...adds('diarization', options?.diarize),
  ];
}

/** Sum of the rates of its tasks. */
export function ratePerMinute(request: PricedRequest): number {
  const rates = ratesOf(request.model);
  return pricedTasks(request).reduce((sum, task) => sum + microUsd(rates[task] ?? '0'), 0);
}

/** The highest rate of a model's tasks, which covers any of them. */
export function highestRate(model: ModelId): number {
  return Math.max(...Object.values(ratesOf(model)).map(microUsd));
}

function ratesOf(id: ModelId): Rates {
  return modelRow(id).ratesPerMinuteUsd;
}

/** Rates are decimal strings, so that no binary fraction appears. */
function microUsd(rate: string): number {
  return Math.round(Number(rate) * 1e6);
}
