// Reads answers of the service: the parts of its results (interface.md) that are shown.
import { z } from 'zod';
import type { ExportedResult } from '../../models/exports/exported-result.ts';

const scores = z.array(z.object({ label: z.string(), score: z.number() }));

const word = z.object({
  word: z.string(),
  start: z.number(),
  end: z.number(),
  confidence: z.number().nullable(),
});

/** Results without segments are rejected. */
export const resultSchema = z.object({
  object: z.literal('speech.result'),
  duration: z.number(),
  language: z.string().nullish(),
  segments: z.array(
    z.object({
      start: z.number(),
      end: z.number(),
      text: z.string().nullable(),
      words: z.array(word),
      speaker: z.string().nullable(),
      emotions: scores,
      styles: scores,
    }),
  ),
}) satisfies z.ZodType<ExportedResult>;

/** What `svc bulk` and the results of a batch have beside a result. */
export const callSchema = z.object({
  /** In their order. */
  channels: z.array(z.object({ role: z.string().nullable(), speaker: z.string() })).nullish(),
  metrics: z
    .object({
      speakers: z.array(z.object({ speaker: z.string(), loudness_dbfs: z.number().nullable() })),
    })
    .nullish(),
});

/** A result of a model for short clips: scores are of the whole, segments the turns if any. */
export const clipSchema = z.object({
  duration: z.number(),
  text: z.string(),
  emotions: scores.default([]),
  styles: scores.default([]),
  segments: z
    .array(z.object({ start: z.number(), text: z.string(), speaker: z.string() }))
    .default([]),
});
export type Clip = z.output<typeof clipSchema>;

const check = z.object({ status: z.string(), reason: z.string().nullish() });
export type Check = z.output<typeof check>;

/** What a result of the proficiency endpoint has besides. */
export const proficiencySchema = z.object({
  check,
  proficiency: z.object({
    continuous_check: check,
    score: z.number().nullable(),
    components: z.record(z.string(), z.number()).nullish(),
    cefr: z.string(),
    cefr_score: z.number(),
    confidence: z.number(),
    fluency: z.string(),
    fluency_score: z.number(),
  }),
});
