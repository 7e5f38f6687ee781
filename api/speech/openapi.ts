// The audio endpoints of the OpenAPI document.
import { z } from 'zod';
import type { ZodOpenApiOperationObject, ZodOpenApiPathsObject } from 'zod-openapi';
import type { ErrorCode } from '../../models/contract/errors.ts';
import {
  defaultModel,
  limitsOf,
  proficiencyModel,
  resonance2Model,
  spectraModel,
  syntheticModel,
} from '../../models/contract/served-models.ts';
import { shapePaths, sharedTaskPaths, type SharedTask } from '../../models/contract/tasks.ts';
import { proficiencyResultSchema } from '../proficiency/schema.ts';
import {
  liteResultSchema,
  resonance2ResultSchema,
  spectra2ResultSchema,
  speechResultSchema,
  syntheticResultSchema,
} from '../results/schemas.ts';
import { exampleResults } from '../openapi/examples.ts';
import { multipart, multipartOf, requestIdHeader } from '../openapi/requests.ts';
import { proficiencyForm } from '../proficiency/request.ts';
import { resonance2Form, resonance2Query } from '../resonance-2/request.ts';
import { syntheticForm } from '../synthetic-speech/routes.ts';
import { detailResponse, errors, headers, keyCodes, success } from '../openapi/responses.ts';
import { sharedForm, sharedMediaTypes, spectraHeaders } from './openapi-forms.ts';

const audioCodes: readonly ErrorCode[] = [
  'missing_file',
  'invalid_field',
  'duplicate_field',
  'invalid_multipart',
  'unsupported_audio',
  'audio_undecodable',
  'audio_too_short',
  'audio_too_long',
  'model_not_found',
  'model_not_supported',
  'model_retired',
];

const uploadCodes: readonly ErrorCode[] = [
  ...keyCodes,
  'upload_timeout',
  'body_too_large',
  'file_too_large',
  'model_unavailable',
  'timeout',
];

const conflictCodes: readonly ErrorCode[] = [
  'request_in_progress',
  'request_already_completed',
  'idempotency_conflict',
];

/** Of every endpoint that takes a recording. */
export const fileCodes: readonly ErrorCode[] = [
  ...audioCodes,
  ...uploadCodes,
  ...conflictCodes,
  'allowance_exhausted',
  'unsupported_media_type',
];

const commonCodes: readonly ErrorCode[] = [
  ...fileCodes,
  'diarization_unsupported',
  'diarization_upstream_failed',
];

const spectraCodes: readonly ErrorCode[] = [
  'unknown_field',
  'server_only',
  'session_unavailable',
  'session_expired',
  'session_capacity_unavailable',
  'upload_busy',
  'model_busy',
  'setup_unconfirmed',
];

const ignoredFields = {
  'X-Svc-Ignored-Fields': z.string().optional().meta({
    description: 'Names of fields that the shape does not have, percent-encoded.',
  }),
};
const nextSession = {
  'X-Svc-Session': z.string().optional().meta({ description: "The next session's token." }),
  'X-Svc-Session-Expires': z.string().optional().meta({ description: 'Unix milliseconds.' }),
  'X-Svc-Session-Count': z.string().optional().meta({ description: 'Its request ids.' }),
  'X-Svc-Session-Seconds': z.string().optional().meta({ description: 'Its capacity.' }),
};

function shared(task: SharedTask) {
  return multipartOf(sharedForm(task), sharedMediaTypes(task));
}

const spectraAnswers = z.union([speechResultSchema, spectra2ResultSchema]);

const transcription: ZodOpenApiOperationObject = {
  operationId: 'createTranscription',
  tags: ['Audio'],
  summary: 'Transcribe a recording',
  requestParams: { header: spectraHeaders },
  requestBody: shared('transcription'),
  responses: {
    '200': {
      description: 'The transcript; its shape is that of the model.',
      headers: headers({ ...ignoredFields, ...nextSession }),
      content: {
        'application/json': {
          schema: z.union([speechResultSchema, liteResultSchema, spectra2ResultSchema]),
          examples: {
            [defaultModel]: { value: exampleResults.transcription },
            [spectraModel]: { value: exampleResults.spectra2 },
          },
        },
        'text/plain': { schema: z.string(), example: exampleResults.text },
      },
    },
    ...errors([...commonCodes, ...spectraCodes]),
  },
};

const analysis: ZodOpenApiOperationObject = {
  operationId: 'createAnalysis',
  tags: ['Audio'],
  summary: 'Transcript, emotion and speaking style with tagged text',
  requestParams: { header: spectraHeaders },
  requestBody: shared('analysis'),
  responses: {
    '200': success({
      description: 'The analysis; its shape is that of the model.',
      schema: spectraAnswers,
      headers: { ...ignoredFields, ...nextSession },
    }),
    ...errors([...commonCodes, ...spectraCodes]),
  },
};

function scores(task: SharedTask, operationId: string, summary: string): ZodOpenApiOperationObject {
  return {
    operationId,
    tags: ['Audio'],
    summary,
    requestParams: { header: requestIdHeader },
    requestBody: shared(task),
    responses: {
      '200': success({
        description: 'The scores.',
        schema: speechResultSchema,
        headers: ignoredFields,
      }),
      ...errors(commonCodes),
    },
  };
}

const proficiency: ZodOpenApiOperationObject = {
  operationId: 'createProficiency',
  tags: ['Audio'],
  summary: 'Speaking proficiency of a recording',
  requestParams: { header: requestIdHeader },
  requestBody: multipart(proficiencyForm, limitsOf(proficiencyModel)),
  responses: {
    '200': success({
      description: 'Scores, measures and their check.',
      schema: proficiencyResultSchema,
      headers: ignoredFields,
    }),
    ...errors(fileCodes),
  },
};

const resonance2: ZodOpenApiOperationObject = {
  operationId: 'classifyResonance2',
  tags: ['Audio'],
  summary: 'Calibrated emotion and delivery of a clip',
  requestParams: {
    header: requestIdHeader,
    query: resonance2Query,
  },
  requestBody: multipart(resonance2Form, limitsOf(resonance2Model)),
  responses: {
    '200': success({ description: 'The scores.', schema: resonance2ResultSchema }),
    ...errors([
      ...uploadCodes,
      'idempotency_conflict',
      'allowance_exhausted',
      'model_access_required',
    ]),
    '422': detailResponse,
  },
};

const synthetic: ZodOpenApiOperationObject = {
  operationId: 'detectSyntheticSpeech',
  tags: ['Audio'],
  summary: 'Human or synthetic speech',
  requestParams: { header: requestIdHeader },
  requestBody: multipart(syntheticForm, limitsOf(syntheticModel)),
  responses: {
    '200': success({ description: 'The prediction.', schema: syntheticResultSchema }),
    ...errors([...uploadCodes, 'idempotency_conflict', 'paid_plan_required', 'preview_disabled']),
    '422': {
      ...errors(audioCodes)['400'],
      description: 'A field, the multipart body or the audio is rejected.',
    },
  },
};

export const audioPaths: ZodOpenApiPathsObject = {
  [sharedTaskPaths.transcription]: { post: transcription },
  [sharedTaskPaths.emotion]: { post: scores('emotion', 'createEmotions', 'Emotion scores') },
  [sharedTaskPaths.style]: { post: scores('style', 'createStyles', 'Speaking-style scores') },
  [sharedTaskPaths.affect]: { post: scores('affect', 'createAffect', 'Emotion and style scores') },
  [sharedTaskPaths.analysis]: { post: analysis },
  [shapePaths.proficiency]: { post: proficiency },
  [shapePaths['resonance-2']]: { post: resonance2 },
  [shapePaths['synthetic-speech']]: { post: synthetic },
};
