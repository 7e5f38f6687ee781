// What a model may say about an analysis; the service validates the rest.
import { z } from 'zod';
import { batchTasks } from '../../../api/batches/schemas.ts';
import { redactionKinds } from '../../../models/contract/redaction.ts';
import { commonModels, defaultModel } from '../../../models/contract/served-models.ts';
import { automatic, languageField } from '../../../api/fields/language.ts';
import { maxSpeakers } from '../../../api/fields/speakers.ts';

/** An empty one would be left out, and what it was meant to remove would stay. */
const term = z.string().regex(/[^\s,;]/, 'a name or term is empty');

export const analysisFields = {
  task: z
    .enum(batchTasks)
    .default('analysis')
    .describe('analysis: words, emotions and styles; transcription: words alone.'),
  model: z.enum(commonModels).default(defaultModel),
  diarize: z.boolean().default(false).describe('Separates the speakers.'),
  num_speakers: z
    .int()
    .min(1)
    .max(maxSpeakers)
    .nullable()
    .default(null)
    .describe('Exact number, with diarize; counted when absent.'),
  language: languageField.default(automatic),
  format_numbers: z.boolean().default(false).describe('Writes spoken numbers in digits.'),
  redact: z
    .array(z.enum(redactionKinds))
    .default([])
    .describe('What to remove from the transcript.'),
  redact_names: z.array(term).default([]).describe('Names to remove from the transcript.'),
  vocabulary: z
    .array(term)
    .default([])
    .describe('Names and terms to prefer where they sound alike.'),
};

export type AnalysisFields = z.output<z.ZodObject<typeof analysisFields>>;
