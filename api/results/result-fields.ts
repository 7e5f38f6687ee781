// Fields that every answer about a recording has in common.
import { idHash } from '../../db/object-keys.ts';
import type { RequestRef } from '../../db/request-ref.ts';
import { sigmoid } from '../../models/asr/sigmoid.ts';
import type { FinishedRun } from '../runs/runs.ts';

/** Unique per organization, request id and attempt, so that two answers never share an id. */
export function resultId({ organizationId, requestId, attempt }: RequestRef): string {
  return `res_${idHash(`${organizationId} ${requestId} ${attempt}`)}`;
}

/**
 * Rounds to three decimals and clamps to the duration, because hops of a model and resampled audio
 * may end a fraction after their source.
 */
export function timeWithin(durationSeconds: number): (seconds: number) => number {
  return (seconds) => Math.min(durationSeconds, rounded(seconds, 3));
}

/** Seconds with three decimals, at the source's own rate. */
export function durationOf({ sourceSamples, sourceRate }: FinishedRun['result']): number {
  return rounded(sourceSamples / sourceRate, 3);
}

/** The score of a logit: its sigmoid with six decimals. */
export function scoreOf(logit: number): number {
  return rounded(sigmoid(logit), 6);
}

/** Rounds half up to the given number of decimals. */
export function rounded(value: number, decimals: number): number {
  return Math.round(value * 10 ** decimals) / 10 ** decimals;
}
