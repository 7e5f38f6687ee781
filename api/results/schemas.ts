// The response shapes of interface.md as zod schemas; tests validate every answer against them.
import { z } from 'zod';
import { regimes } from '../../models/affect/resonance-2.ts';
import type { ModelId } from '../../models/contract/catalog.ts';
import { emotionLabels, styleLabels } from '../../models/contract/labels.ts';
import { redactionKinds } from '../../models/contract/redaction.ts';
import {
  limitsOf,
  modelsOf,
  resonance2Model,
  spectraModel,
  syntheticModel,
  windowOf,
} from '../../models/contract/served-models.ts';
import { humanOrSynthetic, syntheticWarnings } from './synthetic-fields.ts';

export const seconds = z.number().min(0);
export const unit = z.number().min(0).max(1);

/** The duration of recordings that the model accepts. */
function lengthWithin(model: ModelId) {
  const { minSeconds, maxSeconds } = limitsOf(model);
  return z.number().min(minSeconds).max(maxSeconds);
}

function mostWindows(model: ModelId): number {
  return Math.ceil(limitsOf(model).maxSeconds / windowOf(model)!.seconds);
}

const scoreSchema = z.strictObject({ label: z.string(), score: unit }).meta({ id: 'Score' });

const wordSchema = z
  .strictObject({
    word: z.string(),
    start: seconds,
    end: seconds,
    confidence: unit.nullable(),
  })
  .meta({ id: 'Word' });

const segmentSchema = z
  .strictObject({
    id: z.int().min(0),
    start: seconds,
    end: seconds,
    text: z.string().nullable(),
    tagged_text: z.string().nullable(),
    words: z.array(wordSchema),
    emotions: z.array(scoreSchema),
    styles: z.array(scoreSchema),
    speaker: z
      .string()
      .regex(/^speaker_\d+$/)
      .nullable(),
    /** Present only with include_logits. */
    scores: z.record(z.string(), unit).optional(),
    raw_logits: z.record(z.string(), z.number()).optional(),
  })
  .meta({ id: 'Segment' });

/** Decimal strings: four decimals for rates, six for costs. */
const usageSchema = z.strictObject({
  audio_seconds: seconds,
  billable_seconds: z.int().min(0),
  rate_per_minute_usd: z.string().regex(/^\d+\.\d{4}$/),
  estimated_cost_usd: z.string().regex(/^\d+\.\d{6}$/),
  pricing_version: z.string(),
  billing_unit: z.enum(['audio_second', 'request']),
  rate_per_request_usd: z.string().nullable(),
});

const redactionSchema = z
  .strictObject({
    kind: z.enum([...redactionKinds, 'name']),
    start: seconds,
    end: seconds,
    speaker: z.string().nullable(),
  })
  .meta({ id: 'Redaction', description: 'Speech that was removed from the transcript.' });

export const speechResultSchema = z
  .strictObject({
    id: z.string().regex(/^res_[0-9a-f]+$/),
    object: z.literal('speech.result'),
    task: z.enum(['transcription', 'emotion', 'style', 'affect', 'analysis', 'proficiency']),
    model: z.string(),
    text: z.string().nullable(),
    tagged_text: z.string().nullable(),
    language: z.string().nullable(),
    duration: seconds,
    emotions: z.array(scoreSchema),
    styles: z.array(scoreSchema),
    segments: z.array(segmentSchema),
    diarized: z.boolean(),
    speakers: z.array(z.string()),
    usage: usageSchema,
    redactions: z.array(redactionSchema).optional(),
  })
  .meta({ id: 'SpeechResult' });

export type SpeechResult = z.infer<typeof speechResultSchema>;
export type Usage = z.infer<typeof usageSchema>;

const liteTurnSchema = z.strictObject({
  id: z.int().min(0),
  start: seconds,
  end: seconds,
  speaker: z.string(),
  text: z.string(),
});

const labelScores = z.record(z.string(), unit);

export const liteResultSchema = z
  .strictObject({
    id: z.string(),
    object: z.literal('audio.transcription'),
    model: z.enum(modelsOf('lite')),
    text: z.string(),
    duration: seconds,
    audio_seconds: seconds,
    language: z.literal('en'),
    asr_ms: z.number().min(0).optional(),
    server_ms: z.number().min(0).optional(),
    emotions: z.array(scoreSchema),
    styles: z.array(scoreSchema),
    emotion_detection: z
      .strictObject({
        emotions: z.array(scoreSchema),
        scores: labelScores,
        thresholds: labelScores,
        segments: z.array(
          z.strictObject({
            start: seconds,
            end: seconds,
            emotions: z.array(scoreSchema),
            scores: labelScores,
          }),
        ),
      })
      .optional(),
    diarized: z.boolean(),
    speakers: z.array(z.string()),
    segments: z.array(liteTurnSchema).optional(),
    usage: z.strictObject({
      audio_seconds: seconds,
      billable_seconds: z.int().min(0),
      billing_basis: z.enum(['subscription', 'prepaid']),
      cost_microusd: z.int().min(0),
      estimated_cost_usd: z.string(),
      rate_per_minute_usd: z.string(),
      pricing_version: z.string(),
      tasks: z.array(z.string()),
    }),
    request_id: z.string(),
  })
  .meta({ id: 'LiteResult' });

export type LiteResult = z.infer<typeof liteResultSchema>;

/** interface.md: one item per label, over the whole clip. */
export const spectra2ResultSchema = z
  .strictObject({
    id: z.string(),
    object: z.literal('speech.result'),
    model: z.enum(modelsOf('spectra-2')),
    task: z.enum(['transcription', 'analysis']),
    text: z.string(),
    duration: lengthWithin(spectraModel),
    emotions: z.array(scoreSchema).length(emotionLabels.length),
    styles: z.array(scoreSchema).length(styleLabels.length),
    usage: usageSchema.omit({ rate_per_request_usd: true }).extend({
      audio_seconds: lengthWithin(spectraModel),
      billable_seconds: z.int().min(1).max(limitsOf(spectraModel).maxSeconds),
    }),
  })
  .meta({ id: 'Spectra2Result' });

export type Spectra2Result = z.infer<typeof spectra2ResultSchema>;

const labelAxes = z.record(z.string(), z.number().min(-1).max(1));

export const resonance2ResultSchema = z
  .strictObject({
    model: z.literal(resonance2Model),
    model_revision: z.string().regex(/^[0-9a-f]{64}$/),
    calibration_revision: z.string().regex(/^[0-9a-f]{64}$/),
    duration: lengthWithin(resonance2Model),
    window_count: z.int().min(1).max(mostWindows(resonance2Model)),
    aggregation: z.literal('mean_window_logits'),
    scores: labelScores,
    axes: labelAxes,
    unipolar: labelScores,
    labels: z.array(scoreSchema).max(emotionLabels.length + styleLabels.length),
    regime: z.enum(regimes),
    calibrated: z.literal(true),
    abstained: z.boolean(),
    abstention_reason: z.literal('digital_silence').nullable(),
    inference_ms: z.number().min(0),
    id: z.string(),
    object: z.literal('speech.affect.result'),
    task: z.literal('affect'),
    usage: usageSchema.extend({ rate_per_hour_usd: z.string().nullable() }),
  })
  .meta({ id: 'Resonance2Result' });

export type Resonance2Result = z.infer<typeof resonance2ResultSchema>;

export const syntheticResultSchema = z
  .strictObject({
    object: z.literal('synthetic_speech.result'),
    model: z.literal(syntheticModel),
    model_revision: z.literal('2026-10-05-adapt-216'),
    duration: lengthWithin(syntheticModel),
    prediction: humanOrSynthetic,
    synthetic_score: unit,
    threshold: z.literal(0.5),
    score_type: z.literal('uncalibrated_sigmoid'),
    aggregation: z.literal('coverage_weighted_mean_logit'),
    segments: z
      .array(
        z.strictObject({
          start: seconds.max(limitsOf(syntheticModel).maxSeconds),
          end: z.number().gt(0).max(limitsOf(syntheticModel).maxSeconds),
          synthetic_score: unit,
          prediction: humanOrSynthetic,
        }),
      )
      .min(1)
      .max(mostWindows(syntheticModel)),
    warnings: syntheticWarnings,
    id: z.string(),
    usage: usageSchema,
  })
  .meta({ id: 'SyntheticSpeechResult' });

export type SyntheticResult = z.infer<typeof syntheticResultSchema>;

export const errorEnvelopeSchema = z
  .strictObject({
    error: z.strictObject({
      type: z.string(),
      code: z.string(),
      message: z.string(),
      param: z.string().nullable(),
      request_id: z.string().nullable(),
    }),
  })
  .meta({ id: 'ErrorEnvelope' });
