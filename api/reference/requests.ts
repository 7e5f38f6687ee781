// Request bodies and headers of the OpenAPI document: the forms of the endpoints as zod schemas.
import { z } from 'zod';
import type { ZodOpenApiRequestBodyObject } from 'zod-openapi';
import { liteModel, proficiencyModel, spectraModel } from '../../models/contract/catalog.ts';
import { maxLength } from '../../models/contract/request-id.ts';
import { lifeLimits } from '../batches/schemas.ts';
import { sessionIdSchema } from '../sessions/schemas.ts';

/** Containers of the common shape, as the part's MIME types. */
export const containers = {
  common: 'audio/wav, audio/flac, audio/mpeg, audio/mp4, audio/ogg, audio/webm',
  spectra:
    'audio/wav, audio/flac, audio/mpeg, audio/mp4, audio/ogg, audio/webm, audio/pcm, audio/f32le',
  synthetic: 'audio/wav, audio/flac, audio/ogg, audio/mpeg',
} as const;

const file = (description: string) =>
  z.string().meta({ description, override: { type: 'string', format: 'binary' } });

const model = (...ids: readonly [string, ...string[]]) => z.enum(ids).default(ids[0]);
/**
 * No default stands in the document: a client that sends what it need not would be refused by the
 * strict shapes.
 */
const switchField = (description: string) =>
  z
    .boolean()
    .optional()
    .meta({ description: `${description} Absent: false.` });

const common = {
  file: file('WAV, FLAC, MP3, M4A, OGG or WebM; 0.1 s to 60 minutes, 30 MiB.'),
  diarize: switchField('Speaker turns; `svc-resonance` and `svc-svceet`.'),
  num_speakers: z.int().min(1).max(32).optional().meta({ description: 'Exact number.' }),
};
const logits = switchField('`scores` and `raw_logits` of every label.');

const spectraShape =
  '`svc-spectra-2` takes `file` and `model` and nothing else: mono at 16 kHz, WAV, FLAC, ' +
  '`audio/pcm` or `audio/f32le`, 45 ms to 60 s, 4 MiB.';

/** Three shapes in one: generators of clients cannot choose between forms. */
export const transcriptionRequest = z
  .looseObject({
    ...common,
    model: model('svc-resonance', 'svc-fourier', liteModel, spectraModel),
    language: z
      .enum(['en', 'en-US', 'en-GB'])
      .optional()
      .meta({ description: `\`${liteModel}\`.` }),
    response_format: z
      .enum(['json', 'verbose_json', 'text'])
      .optional()
      .meta({
        description: `\`${liteModel}\`; absent: json. Optional tasks need JSON.`,
      }),
    emotion_detection: switchField(`\`${liteModel}\`: emotions of the clip and its segments.`),
  })
  .meta({
    id: 'TranscriptionRequest',
    description:
      `\`${liteModel}\` takes up to 60 s of English, a body of up to 4 MiB and no fields of ` +
      `others. ${spectraShape} \`include_logits\` is 400 \`unknown_field\` here.`,
  });

export const scoreRequest = z
  .looseObject({ ...common, model: model('svc-resonance', 'svc-fourier'), include_logits: logits })
  .meta({ id: 'ScoreRequest' });

export const analysisRequest = z
  .looseObject({
    ...common,
    model: model('svc-resonance', 'svc-fourier', spectraModel),
    include_logits: logits,
  })
  .meta({ id: 'AnalysisRequest', description: spectraShape });

export const proficiencyRequest = z
  .looseObject({
    file: file('WAV, FLAC, MP3, M4A, OGG or WebM; 5 s to 10 minutes, 30 MiB.'),
    model: model(proficiencyModel),
    transcript: z.string().max(20_000).optional().meta({ description: 'The text that was read.' }),
  })
  .meta({ id: 'ProficiencyRequest' });

export const resonance2Request = z
  .strictObject({
    file: file('0.1 to 120 s, 30 MiB.'),
    model: model('svc-resonance-2', 'resonance-2'),
  })
  .meta({ id: 'Resonance2Request' });

export const syntheticRequest = z
  .strictObject({
    file: file('English, 1 to 60 s; WAV, FLAC, OGG or MP3; 12 MiB.'),
    model: model('svczero'),
  })
  .meta({ id: 'SyntheticSpeechRequest' });

export const fileRequest = z
  .strictObject({
    file: file('WAV, FLAC, MP3, M4A, OGG or WebM, 30 MiB.'),
    purpose: z.literal('batch').optional(),
    'expires_after[anchor]': z.literal('created_at').optional(),
    'expires_after[seconds]': z
      .int()
      .min(lifeLimits.min)
      .max(lifeLimits.max)
      .optional()
      .meta({ description: 'Absent: 30 days.' }),
  })
  .meta({ id: 'FileRequest' });

export function multipart(schema: z.ZodType, contentType: string): ZodOpenApiRequestBodyObject {
  return {
    required: true,
    content: { 'multipart/form-data': { schema, encoding: { file: { contentType } } } },
  };
}

export function json(schema: z.ZodType, required = true): ZodOpenApiRequestBodyObject {
  return { required, content: { 'application/json': { schema } } };
}

const visibleAscii = new RegExp(`^[\\x21-\\x7e]{1,${maxLength}}$`);
const visibleAsciiOrEmpty = new RegExp(`^[\\x21-\\x7e]{0,${maxLength}}$`);

/** `X-Request-ID` names one piece of work; empty counts as absent. */
export const requestIdHeader = z.object({
  'X-Request-ID': z.string().regex(visibleAsciiOrEmpty).optional().meta({
    description: 'One id is one piece of work and at most one charge.',
    example: 'call-4711',
  }),
});

export const idempotencyHeader = requestIdHeader.extend({
  'Idempotency-Key': z.string().regex(visibleAsciiOrEmpty).optional().meta({
    description: 'The same request again makes nothing new and is answered with what is there.',
  }),
});

export const spectraHeaders = requestIdHeader.extend({
  'X-Svc-Session': z.string().optional().meta({
    description: "`svc-spectra-2`: a prepared session's token; the request id is one of its slots.",
  }),
  'X-Svc-Session-Prepare': sessionIdSchema.optional().meta({
    description: '`svc-spectra-2`: prepare the next session while serving this request.',
  }),
});

export const streamSessionHeaders = z.object({
  'X-Svc-Session': z.string().meta({ description: "A prepared session's token." }),
  'X-Request-ID': z.string().regex(visibleAscii).meta({ description: 'One of its ids.' }),
});
