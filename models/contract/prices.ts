// Reference rates as a request is charged by them: whole micro-dollars per audio minute.
import { catalog, liteModel, type CatalogModel, type TaskName } from './catalog.ts';

export interface PricedRequest {
  readonly model: string;
  readonly task: TaskName;
  readonly options?: { readonly diarize: boolean; readonly includeLogits: boolean };
}

/** Tasks that a request is priced by: the lite model adds its options to a transcription. */
export function pricedTasks({ model, task, options }: PricedRequest): readonly TaskName[] {
  if (model !== liteModel) return [task];
  return [
    'transcription',
    ...(options?.includeLogits ? (['emotion_detection'] as const) : []),
    ...(options?.diarize ? (['diarization'] as const) : []),
  ];
}

/** Sum of the rates of its tasks. */
export function ratePerMinute(request: PricedRequest): number {
  const rates = ratesOf(request.model);
  return pricedTasks(request).reduce((sum, task) => sum + microUsd(rates[task] ?? '0'), 0);
}

/** The rate of a model's dearest task: enough for whichever comes. */
export function dearestRate(model: string): number {
  return Math.max(...Object.values(ratesOf(model)).map(microUsd));
}

function ratesOf(id: string): CatalogModel['ratesPerMinuteUsd'] {
  return (catalog as readonly CatalogModel[]).find((model) => model.id === id)!.ratesPerMinuteUsd;
}

/** Rates are decimal strings, so that no binary fraction shows. */
function microUsd(rate: string): number {
  return Math.round(Number(rate) * 1e6);
}
