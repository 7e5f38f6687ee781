// Files: requests and answers, in OpenAI's vocabulary where it has a term.
import { z } from 'zod';
import { maxSourceUrlLength } from '../../models/contract/source.ts';
import { maxLifetimeSeconds } from '../../models/contract/stored-file.ts';
import { plainText } from '../http/plain-text.ts';

/** Retention of files and results, in seconds. */
export const lifetimeLimits = { min: 3_600, max: maxLifetimeSeconds } as const;

export const fileIdPattern = /^file-[0-9a-f]{24}$/;

export const unixSeconds = z.int().describe('Unix seconds.');

export const expiresAfter = z
  .strictObject({
    anchor: z.literal('created_at'),
    seconds: z.int().min(lifetimeLimits.min).max(lifetimeLimits.max),
  })
  .describe('One hour to 30 days; absent: 30 days.');

/** The address of a recording; what may be fetched is decided by `requireSource`. */
export const sourceField = z
  .string()
  .max(maxSourceUrlLength)
  .meta({ override: { format: 'uri' } });

export const sourceSchema = z.strictObject({ url: sourceField }).meta({
  id: 'RecordingSource',
  description:
    '`https://…` or `s3://BUCKET/KEY`: fetched by the service when the recording is analysed, ' +
    'from public addresses, with the credentials that an operator stored for it.',
});

export const sourcedFileSchema = z
  .strictObject({
    source: sourceSchema,
    filename: z
      .string()
      .min(1)
      .max(255)
      .refine(...plainText)
      .optional()
      .describe('Absent: the last part of the address.'),
    expires_after: expiresAfter.optional(),
  })
  .meta({ id: 'SourcedFileRequest' });

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

export const fileSchema = z
  .strictObject({
    id: z.string().regex(fileIdPattern),
    object: z.literal('file'),
    purpose: z.literal('batch'),
    status: z
      .enum(['pending', 'processed'])
      .describe('`pending` until it has been uploaded or fetched.'),
    filename: z.string(),
    bytes: z.int().nullable(),
    source: z
      .strictObject({ url: z.string().describe('Without its query.') })
      .nullable()
      .describe('Null for an upload.'),
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

export type FileBody = z.infer<typeof fileSchema>;
