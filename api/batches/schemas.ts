// Batches: requests and answers, in OpenAI's vocabulary where it has a term.
import { z } from 'zod';
import { batchStatuses, itemStatuses } from '../../models/contract/batch-status.ts';
import { itemStages } from '../../models/contract/item-progress.ts';
import { commonModels } from '../../models/contract/served-models.ts';
import { sharedTasks } from '../../models/contract/tasks.ts';
import { expiresAfter, fileIdPattern, sourceSchema, unixSeconds } from '../files/schemas.ts';
import { modelField } from '../http/form-fields.ts';
import { pageQuerySchema } from '../http/list-schemas.ts';
import { plainText } from '../http/plain-text.ts';
import { oneMemberOf } from '../openapi/alternatives.ts';
import { automatic, languageField } from '../fields/language.ts';
import { formatNumbersDescription } from '../fields/number-format.ts';
import {
  redactDescription,
  redactKinds,
  redactNames,
  redactNamesDescription,
} from '../fields/redaction.ts';
import { maxSpeakers } from '../fields/speakers.ts';
import { termList } from '../fields/vocabulary.ts';
import { receiverField } from '../webhooks/schemas.ts';
import { exportFormats, type ExportFormat } from '../../models/exports/formats.ts';
import { itemError } from '../results/line-schemas.ts';

export const maxBatchItems = 10_000;
export const batchIdPattern = /^batch_[0-9a-f]{24}$/;

const unixSecondsOrNull = unixSeconds.nullable();

const metadata = z
  .record(z.string().min(1).max(64), z.string().max(512))
  .refine((pairs) => Object.keys(pairs).length <= 16, 'must have at most 16 pairs')
  .describe('At most 16 pairs of text; stored and returned unchanged.');

export const batchTasks = sharedTasks;

const batchOptions = z
  .strictObject({
    diarize: z.boolean().default(false),
    num_speakers: z.int().min(1).max(maxSpeakers).nullable().default(null),
    include_logits: z.boolean().default(false),
    language: languageField.default(automatic),
    format_numbers: z.boolean().default(false).describe(formatNumbersDescription),
    redact: redactKinds.default([]).describe(redactDescription),
    redact_names: redactNames.default([]).describe(redactNamesDescription),
    vocabulary: termList('vocabulary').default([]),
    channels: z
      .enum(['mix', 'separate'])
      .default('mix')
      .describe('`separate`: one speaker per channel, and no diarization.'),
    channel_roles: z
      .array(z.string().regex(/^[A-Za-z0-9_-]{1,32}$/))
      .max(8)
      .default([])
      .describe('Who speaks on which channel; with `channels` separate.'),
  })
  .describe(
    '`diarize`, `num_speakers`, `include_logits`, `language`: as on the endpoint of the task; ' +
      'options without effect, which it would ignore, are rejected.',
  );

export const batchRequestSchema = z
  .strictObject({
    task: z.enum(batchTasks),
    model: modelField(commonModels),
    options: batchOptions.prefault({}),
    items: z
      .array(
        z
          .strictObject({
            custom_id: z
              .string()
              .min(1)
              .max(128)
              .refine(...plainText)
              .describe("The caller's name; once in a batch."),
            file_id: z.string().regex(fileIdPattern).optional(),
            source: sourceSchema.optional(),
            metadata: metadata.default({}),
          })
          .meta({
            example: { custom_id: 'call-4711', file_id: `file-${'0'.repeat(24)}` },
            override: oneMemberOf({ file_id: 'BatchFileItem', source: 'BatchSourceItem' }),
          }),
      )
      .min(1)
      .max(maxBatchItems),
    metadata: metadata.default({}),
    webhook: z.strictObject({ url: receiverField }).optional(),
    output_expires_after: expiresAfter.optional(),
  })
  .meta({ id: 'BatchRequest' });

export const itemQuerySchema = pageQuerySchema.extend({
  status: z.enum(itemStatuses).optional(),
});

export const batchSchema = z
  .strictObject({
    id: z.string().regex(batchIdPattern),
    object: z.literal('batch'),
    task: z.enum(batchTasks),
    model: z.enum(commonModels),
    options: batchOptions,
    status: z.enum(batchStatuses),
    request_counts: z.strictObject({
      total: z.int(),
      completed: z.int(),
      failed: z.int(),
      cancelled: z.int(),
    }),
    progress: z
      .number()
      .min(0)
      .max(1)
      .describe('Share of the items that is done; of those in progress, what is done of them.'),
    audio_seconds: z.strictObject({
      done: z.int().describe('As they were charged.'),
      left: z.int().nullable().describe('Estimated from bytes; null until some work is done.'),
    }),
    estimated_completion_at: unixSecondsOrNull,
    created_at: unixSeconds,
    in_progress_at: unixSecondsOrNull,
    finalizing_at: unixSecondsOrNull,
    completed_at: unixSecondsOrNull,
    failed_at: unixSecondsOrNull,
    cancelling_at: unixSecondsOrNull,
    cancelled_at: unixSecondsOrNull,
    expires_at: unixSecondsOrNull.describe('Null until it has ended.'),
    webhook: z.strictObject({ url: z.string() }).nullable(),
    metadata: z.record(z.string(), z.string()),
  })
  .meta({ id: 'Batch' });

export const batchItemSchema = z
  .strictObject({
    id: z.string(),
    object: z.literal('batch.item'),
    index: z.int(),
    custom_id: z.string(),
    file_id: z.string(),
    status: z.enum(itemStatuses),
    progress: z
      .strictObject({
        stage: z.enum(itemStages),
        share: z.number().min(0).max(1).describe('Of the whole, estimated.'),
      })
      .nullable()
      .describe('Of a long recording that is being analysed; else null.'),
    audio_seconds: z.int().nullable().describe('As they were charged; null until completed.'),
    error: itemError,
    metadata: z.record(z.string(), z.string()),
  })
  .meta({ id: 'BatchItem' });

/** Query of an item's export. */
export const exportQuerySchema = z.strictObject({
  format: z.enum(Object.keys(exportFormats) as [ExportFormat, ...ExportFormat[]]),
});

export type BatchRequest = z.infer<typeof batchRequestSchema>;
export type BatchBody = z.infer<typeof batchSchema>;
export type BatchItemBody = z.infer<typeof batchItemSchema>;
