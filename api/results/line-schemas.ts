// Schemas of batch results: lines, channels, call metrics.
import { z } from 'zod';
import { finalStatuses } from '../../models/contract/batch-status.ts';
import { speechResultSchema } from './schemas.ts';

export const itemError = z
  .strictObject({ code: z.string(), message: z.string(), param: z.string().nullable() })
  .nullable();

const channelSchema = z
  .strictObject({
    channel: z.int(),
    role: z.string().nullable(),
    speaker: z.string().describe('Whose segments are those of the channel.'),
    state: z.enum(['speech', 'silent', 'missing']),
    speech_seconds: z.number(),
  })
  .meta({ id: 'Channel' });

const emotionShare = z.strictObject({ label: z.string(), share: z.number() });

export const callMetricsSchema = z
  .strictObject({
    duration_seconds: z.number(),
    talk_seconds: z.number(),
    silence_seconds: z.number(),
    overlap_seconds: z.number(),
    words: z.int(),
    low_confidence_words: z.int().describe('Words with a confidence below 0.5.'),
    speakers: z.array(
      z.strictObject({
        speaker: z.string(),
        talk_seconds: z.number(),
        talk_share: z.number(),
        turns: z.int(),
        longest_monologue_seconds: z.number(),
        words_per_minute: z.number().nullable(),
        interruptions: z.int(),
        loudness_dbfs: z.number().nullable(),
        emotions: z.array(emotionShare),
      }),
    ),
    emotion_over_time: z.array(
      z.strictObject({
        start: z.number(),
        end: z.number(),
        speaker: z.string(),
        label: z.string(),
        score: z.number(),
      }),
    ),
  })
  .meta({ id: 'CallMetrics' });

/** One line of the results. */
export const batchResultSchema = z
  .strictObject({
    custom_id: z.string(),
    index: z.int(),
    status: z.enum(finalStatuses),
    result: speechResultSchema.nullable(),
    channels: z
      .array(channelSchema)
      .nullable()
      .describe('With `channels` separate; silent and missing ones too.'),
    metrics: callMetricsSchema.nullable(),
    error: itemError,
    metadata: z.record(z.string(), z.string()),
  })
  .meta({ id: 'BatchResult' });

export type ChannelBody = z.infer<typeof channelSchema>;
export type BatchResultBody = z.infer<typeof batchResultSchema>;
