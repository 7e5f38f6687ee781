// Reads answers of the service: the part of a SpeechResult (interface.md) that is shown.
import { z } from 'zod';
import type { ExportedResult } from '../../models/exports/result.ts';

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
