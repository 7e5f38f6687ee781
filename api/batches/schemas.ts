// Files and batches: requests and answers, in OpenAI's vocabulary where it has a term.
import { z } from 'zod';
import { commonModels } from '../../models/contract/served-models.ts';
import { sharedTasks } from '../../models/contract/tasks.ts';
import { modelField, wholeNumberField } from '../http/form-fields.ts';
import { automatic, languageField } from '../upload/language.ts';
import { maxSpeakers } from '../upload/speakers.ts';
import { maxUrlLength } from '../webhooks/receiver.ts';
import { exportFormats, type ExportFormat } from '../../models/exports/formats.ts';
import { itemError } from '../results/line-schemas.ts';

export const maxBatchItems = 10_000;
export const maxPageItems = 1_000;
const defaultPageItems = 100;
/** Retention of files and results, in seconds. */
export const lifetimeLimits = { min: 3_600, max: 30 * 24 * 3_600 } as const;

/** Text that a database can store; generators of test cases do not understand the pattern. */
const isPlainText = (text: string): boolean => /^\P{Cc}*$/u.test(text);
const plainText = [isPlainText, 'must not contain control characters'] as const;
export const fileIdPattern = /^file-[0-9a-f]{24}$/;
export const batchIdPattern = /^batch_[0-9a-f]{24}$/;

const unixSeconds = z.int().describe('Unix seconds.');
const unixSecondsOrNull = unixSeconds.nullable();

const metadata = z
  .record(z.string().min(1).max(64), z.string().max(512))
  .refine((pairs) => Object.keys(pairs).length <= 16, 'must have at most 16 pairs')
  .describe('At most 16 pairs of text; stored and returned unchanged.');

const expiresAfter = z
  .strictObject({
    anchor: z.literal('created_at'),
    seconds: z.int().min(lifetimeLimits.min).max(lifetimeLimits.max),
  })
  .describe('One hour to 30 days; absent: 30 days.');

export const batchTasks = sharedTasks;

const batchOptions = z
  .strictObject({
    diarize: z.boolean().default(false),
    num_speakers: z.int().min(1).max(maxSpeakers).nullable().default(null),
    include_logits: z.boolean().default(false),
    language: languageField.default(automatic),
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
    '`diarize`, `num_speakers`, `include_logits`, `language`: as on the endpoint of the task.',
  );

export const batchRequestSchema = z
  .strictObject({
    task: z.enum(batchTasks),
    model: modelField(commonModels),
    options: batchOptions.prefault({}),
    items: z
      .array(
        z.strictObject({
          custom_id: z
            .string()
            .min(1)
            .max(128)
            .refine(...plainText)
            .describe("The caller's name; once in a batch."),
          file_id: z.string().regex(fileIdPattern),
          metadata: metadata.default({}),
        }),
      )
      .min(1)
      .max(maxBatchItems),
    metadata: metadata.default({}),
    webhook: z.strictObject({ url: z.string().max(maxUrlLength) }).optional(),
    output_expires_after: expiresAfter.optional(),
  })
  .meta({ id: 'BatchRequest' });

export const presignRequestSchema = z
  .strictObject({
    filename: z
      .string()
      .min(1)
      .max(255)
      .refine(...plainText),
    bytes: z.int().min(1),
    expires_after: expiresAfter.optional(),
  })
  .meta({ id: 'PresignRequest' });

/** Query of every list. */
export const pageQuerySchema = z.strictObject({
  limit: wholeNumberField({ min: 1, max: maxPageItems })
    .default(defaultPageItems)
    .meta({ override: { default: defaultPageItems } }),
  after: z
    .string()
    .max(128)
    .refine(...plainText)
    .optional()
    .describe('`last_id` of the page before.'),
});

export const itemStatuses = ['queued', 'running', 'completed', 'failed', 'cancelled'] as const;

export const itemQuerySchema = pageQuerySchema.extend({
  status: z.enum(itemStatuses).optional(),
});

export const fileSchema = z
  .strictObject({
    id: z.string().regex(fileIdPattern),
    object: z.literal('file'),
    purpose: z.literal('batch'),
    status: z.enum(['pending', 'processed']).describe('`pending` until it has been uploaded.'),
    filename: z.string(),
    bytes: z.int().nullable(),
    sha256: z
      .string()
      .nullable()
      .describe('Hexadecimal; null until bytes that went straight to storage are read.'),
    created_at: unixSeconds,
    expires_at: unixSeconds,
  })
  .meta({ id: 'File' });

export const presignedFileSchema = fileSchema
  .extend({
    upload: z.strictObject({
      method: z.literal('PUT'),
      url: z.url(),
      headers: z.record(z.string(), z.string()).describe('To be sent as they are.'),
      expires_at: unixSeconds,
    }),
  })
  .meta({ id: 'PresignedFile' });

export const batchSchema = z
  .strictObject({
    id: z.string().regex(batchIdPattern),
    object: z.literal('batch'),
    task: z.enum(batchTasks),
    model: z.enum(commonModels),
    options: batchOptions,
    status: z.enum([
      'validating',
      'in_progress',
      'finalizing',
      'completed',
      'failed',
      'cancelling',
      'cancelled',
    ]),
    request_counts: z.strictObject({
      total: z.int(),
      completed: z.int(),
      failed: z.int(),
      cancelled: z.int(),
    }),
    audio_seconds: z.strictObject({
      done: z.int().describe('As they were charged.'),
      left: z.int().nullable().describe('Estimated from bytes; null until an item is completed.'),
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
    audio_seconds: z.int().nullable().describe('As they were charged; null until completed.'),
    error: itemError,
    metadata: z.record(z.string(), z.string()),
  })
  .meta({ id: 'BatchItem' });

export const deletedSchema = z
  .strictObject({ id: z.string(), object: z.string(), deleted: z.literal(true) })
  .meta({ id: 'Deleted' });

/** Query of an item's export. */
export const exportQuerySchema = z.strictObject({
  format: z.enum(Object.keys(exportFormats) as [ExportFormat, ...ExportFormat[]]),
});

/** @param id of the component */
export function listOf<T extends z.ZodType>(item: T, id: string) {
  return z
    .strictObject({
      object: z.literal('list'),
      data: z.array(item),
      first_id: z.string().nullable(),
      last_id: z.string().nullable(),
      has_more: z.boolean(),
    })
    .meta({ id });
}

export type BatchRequest = z.infer<typeof batchRequestSchema>;
export type BatchBody = z.infer<typeof batchSchema>;
export type BatchItemBody = z.infer<typeof batchItemSchema>;
export type FileBody = z.infer<typeof fileSchema>;
