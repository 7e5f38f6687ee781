// What every answer about a recording says in the same way.
import { requestHash } from '../../db/object-keys.ts';
import type { RequestRef } from '../../db/request-ref.ts';
import { sigmoid } from '../../models/contract/sigmoid.ts';
import type { FinishedRun } from '../runs/runs.ts';

/** New for each attempt of each organization: two answers are never taken for the same result. */
export function resultId({ organizationId, requestId, attempt }: RequestRef): string {
  return `res_${requestHash(`${organizationId} ${requestId} ${attempt}`)}`;
}

/**
 * Seconds with three decimals that lie in the recording: hops of a model and resampled audio may
 * end a fraction after their source.
 */
export function timeWithin(durationSeconds: number): (seconds: number) => number {
  return (seconds) => Math.min(durationSeconds, rounded(seconds, 3));
}

/** Seconds with three decimals, at the source's own rate. */
export function durationOf({ sourceSamples, sourceRate }: FinishedRun['result']): number {
  return rounded(sourceSamples / sourceRate, 3);
}

/** A logit as the score that callers see: its sigmoid with six decimals. */
export function scoreOf(logit: number): number {
  return rounded(sigmoid(logit), 6);
}

/** Rounded to so many decimals, half up. */
export function rounded(value: number, decimals: number): number {
  return Math.round(value * 10 ** decimals) / 10 ** decimals;
}
