// The ProficiencyResult of interface.md as a zod schema.
import { z } from 'zod';
import { seconds, speechResultSchema, unit } from '../results/schemas.ts';

const checkStatus = z.strictObject({
  status: z.enum(['scored', 'low_confidence', 'insufficient_audio']),
  billable: z.boolean(),
  reason: z.string().nullable(),
});

const hash = z.string().regex(/^[0-9a-f]{64}$/);

export const proficiencyResultSchema = speechResultSchema
  .extend({
    check: checkStatus,
    proficiency: z.strictObject({
      continuous_check: z.strictObject({
        status: z.enum(['scored', 'insufficient_audio', 'unavailable']),
        reason: z.string().nullable(),
      }),
      continuous_metadata: z.strictObject({
        speech_seconds: seconds,
        word_count: z.int().min(0),
        transcript_used: z.boolean(),
      }),
      score: unit.nullable(),
      model_version: z.literal('continuous-pilot-v2'),
      word_score_version: z.literal('v2'),
      scope: z.string(),
      score_direction: z.literal('0_low_proficiency__1_high_proficiency'),
      status: z.enum(['scored', 'partial_word_scores', 'unscorable']),
      components: z.strictObject({ accuracy: unit, fluency: unit, prosody: unit }).nullable(),
      words: z.array(
        z.strictObject({
          text: z.string(),
          start_s: seconds.nullable(),
          end_s: seconds.nullable(),
          score: unit.nullable(),
          status: z.enum(['scored', 'unscorable']),
          scope: z.string().nullable(),
          accentedness: z.null(),
        }),
      ),
      speech_seconds: seconds,
      word_count: z.int().min(0),
      scored_word_count: z.int().min(0),
      transcript_used: z.boolean(),
      reason: z.string().nullable(),
      word_calibration: z.string(),
      recording_calibration: z.string(),
      alignment_method: z.string(),
      aggregation: z.string().nullable(),
      window_count: z.int().min(0).nullable(),
      encoder_sha256: hash.nullable(),
      alignment_checkpoint_sha256: hash.nullable(),
      phone_lexicon_sha256: hash.nullable(),
      word_checkpoint_sha256: z.array(hash),
      accentedness: z.null(),
      legacy_model_version: z.literal('fluency_cefr-v2-final'),
      legacy_check: checkStatus.nullable(),
      cefr: z.enum(['A1', 'A2', 'B1', 'B2', 'C1', 'C2']),
      cefr_score: z.number().min(0).max(5),
      cefr_probs: z.record(z.string(), unit),
      confidence: unit,
      fluency: z.enum(['low', 'intermediate', 'high']),
      fluency_probs: z.record(z.string(), unit),
      fluency_score: z.number().min(0).max(10),
      features: z.record(z.string(), z.number()),
    }),
  })
  .meta({ id: 'ProficiencyResult' });

export type ProficiencyResult = z.infer<typeof proficiencyResultSchema>;
