// A stored result as the lite model's transcription of interface.md.
import { emotionLabels } from '../../models/affect/labels.ts';
import { liteModel, pricingVersion } from '../../models/catalog.ts';
import { pricedTasks, ratePerMinute } from '../../models/prices.ts';
import type { RecordingSegment } from '../../models/recording/result.ts';
import type { FinishedRun } from '../runs/runs.ts';
import type { LiteRequest } from '../upload/lite-fields.ts';
import { durationOf, resultId, rounded, scoreOf } from './result-fields.ts';
import type { LiteResult } from './schemas.ts';
import { speakerLabel, toScores } from './speech-result.ts';
import { costText, rateText } from './usage.ts';

export interface LiteContext {
  readonly requestId: string;
  readonly request: LiteRequest;
  readonly subscription: boolean;
  /** From the end of the upload to the answer, without authentication and reservation. */
  readonly serverMs: number;
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
  const verbose = request.responseFormat === 'verbose_json';
  const segments = diarize ? result.segments.map(toTurn) : [];
  return {
    id: resultId({ organizationId, requestId, attempt }),
    object: 'audio.transcription',
    model: liteModel,
    text: result.text ?? '',
    duration,
    audio_seconds: duration,
    language: 'en',
    ...(verbose && { asr_ms: result.inferenceMs, server_ms: Math.round(context.serverMs) }),
    emotions: request.emotionDetection ? toScores(result.emotions) : [],
    styles: [],
    ...(request.emotionDetection && { emotion_detection: toDetection(result, context) }),
    diarized: diarize,
    speakers: Array.from({ length: result.speakers ?? 0 }, (_, i) => speakerLabel(i)),
    // Turns are what `diarize` asks for; without it there is nothing but an empty list.
    ...((verbose || diarize) && { segments }),
    usage: toLiteUsage({
      options: request.options,
      subscription: context.subscription,
      audioSeconds: duration,
      billableSeconds: result.billableSeconds,
    }),
    request_id: requestId,
  };
}

function toTurn({ start, end, speaker, text }: RecordingSegment, id: number) {
  return {
    id,
    start: rounded(start, 3),
    end: rounded(end, 3),
    speaker: speakerLabel(speaker ?? 0),
    text: text ?? '',
  };
}

function toDetection(
  { emotions, segments, logits }: FinishedRun['result'],
  { thresholds }: LiteContext,
): LiteResult['emotion_detection'] {
  return {
    emotions: toScores(emotions),
    scores: emotionScores(logits),
    thresholds,
    segments: segments.map((segment) => ({
      start: rounded(segment.start, 3),
      end: rounded(segment.end, 3),
      emotions: toScores(segment.emotions),
      scores: emotionScores(segment.logits),
    })),
  };
}

function emotionScores(logits: readonly number[] | null): Record<string, number> {
  return Object.fromEntries(emotionLabels.map((label, i) => [label, scoreOf(logits?.[i] ?? 0)]));
}

export interface LiteUsageInput {
  /** Absent: transcription and nothing else. */
  readonly options?: LiteRequest['options'];
  /** True: plan minutes; false: credits. */
  readonly subscription: boolean;
  readonly audioSeconds: number;
  readonly billableSeconds: number;
}

export function toLiteUsage({
  options,
  subscription,
  audioSeconds,
  billableSeconds,
}: LiteUsageInput): LiteResult['usage'] {
  const priced = { model: liteModel, task: 'transcription', ...(options && { options }) } as const;
  const rate = ratePerMinute(priced);
  const cost = costText(rate, billableSeconds);
  return {
    audio_seconds: audioSeconds,
    billable_seconds: billableSeconds,
    billing_basis: subscription ? 'subscription' : 'prepaid',
    cost_microusd: Number(cost.replace('.', '')),
    estimated_cost_usd: cost,
    rate_per_minute_usd: rateText(rate),
    pricing_version: pricingVersion,
    tasks: [...pricedTasks(priced)],
  };
}
