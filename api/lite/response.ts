// Maps a stored result to the lite model's transcription (interface.md).
import { emotionLabels } from '../../models/contract/labels.ts';
import { pricingVersion, type IdOfShape } from '../../models/contract/catalog.ts';
import { planRows, type Plan } from '../../models/contract/plans.ts';
import { pricedTasks, ratePerMinute } from '../../models/contract/charge-rate.ts';
import type { RecordingSegment } from '../../models/analysis/result/result.ts';
import type { FinishedRun } from '../runs/runs.ts';
import type { LiteRequest } from './request.ts';
import { durationOf, resultId, scoreOf, timeWithin } from '../results/result-fields.ts';
import type { LiteResult } from '../results/schemas.ts';
import { speakerLabel, toScores } from '../results/speech-result.ts';
import { costText, rateText } from '../results/usage.ts';

export interface LiteContext {
  readonly model: IdOfShape<'lite'>;
  readonly requestId: string;
  readonly request: LiteRequest;
  readonly plan: Plan;
  /** From the end of the upload to the answer. */
  readonly answerMs: number;
  readonly thresholds: Readonly<Record<string, number>>;
}

/** Times in seconds with three decimals, scores with six. */
export function toLiteResult(
  { organizationId, attempt, result }: FinishedRun,
  context: LiteContext,
): LiteResult {
  const { request, requestId } = context;
  const { diarize } = request.options;
  const duration = durationOf(result);
  // interface.md: without usage reservation, as without network and authentication.
  const serverMs = Math.max(0, Math.round(context.answerMs - (result.reservationMs ?? 0)));
  const verbose = request.responseFormat === 'verbose_json';
  const time = timeWithin(duration);
  const segments = result.segments.flatMap(toTurn(time));
  return {
    id: resultId({ organizationId, requestId, attempt }),
    object: 'audio.transcription',
    model: context.model,
    text: result.text ?? '',
    duration,
    audio_seconds: duration,
    language: 'en',
    ...(verbose && { asr_ms: result.inferenceMs, server_ms: serverMs }),
    emotions: request.emotionDetection ? toScores(result.emotions) : [],
    styles: [],
    ...(request.emotionDetection && {
      emotion_detection: toDetection(result, { ...context, time }),
    }),
    diarized: result.speakers !== null,
    speakers: Array.from({ length: result.speakers ?? 0 }, (_, i) => speakerLabel(i)),
    // Turns are what `diarize` returns; without it the list is empty.
    ...((verbose || diarize) && { segments }),
    usage: toLiteUsage({
      model: context.model,
      options: request.options,
      plan: context.plan,
      audioSeconds: duration,
      billableSeconds: result.billableSeconds,
    }),
    request_id: requestId,
  };
}

type Clock = ReturnType<typeof timeWithin>;
type Turn = NonNullable<LiteResult['segments']>[number];

/** A turn has a speaker; a segment without one is not a turn. */
function toTurn(time: Clock): (segment: RecordingSegment, id: number) => readonly Turn[] {
  return ({ start, end, speaker, text }, id) =>
    speaker === null
      ? []
      : [
          {
            id,
            start: time(start),
            end: time(end),
            speaker: speakerLabel(speaker),
            text: text ?? '',
          },
        ];
}

function toDetection(
  { emotions, segments, logits }: FinishedRun['result'],
  { thresholds, time }: LiteContext & { readonly time: Clock },
): LiteResult['emotion_detection'] {
  return {
    emotions: toScores(emotions),
    scores: emotionScores(logits),
    thresholds,
    segments: segments.map((segment) => ({
      start: time(segment.start),
      end: time(segment.end),
      emotions: toScores(segment.emotions),
      scores: emotionScores(segment.logits),
    })),
  };
}

function emotionScores(logits: readonly number[] | null): Record<string, number> {
  return Object.fromEntries(emotionLabels.map((label, i) => [label, scoreOf(logits?.[i] ?? 0)]));
}

export interface LiteUsageInput {
  readonly model: IdOfShape<'lite'>;
  /** Absent for a plain transcription. */
  readonly options?: LiteRequest['options'];
  readonly plan: Plan;
  readonly audioSeconds: number;
  readonly billableSeconds: number;
}

export function toLiteUsage({
  model,
  options,
  plan,
  audioSeconds,
  billableSeconds,
}: LiteUsageInput): LiteResult['usage'] {
  const priced = { model, task: 'transcription', ...(options && { options }) } as const;
  const rate = ratePerMinute(priced);
  const cost = costText(rate, billableSeconds);
  return {
    audio_seconds: audioSeconds,
    billable_seconds: billableSeconds,
    billing_basis: planRows[plan].paysWith === 'credits' ? 'prepaid' : 'subscription',
    cost_microusd: Number(cost.replace('.', '')),
    estimated_cost_usd: cost,
    rate_per_minute_usd: rateText(rate),
    pricing_version: pricingVersion,
    tasks: [...pricedTasks(priced)],
  };
}
