// The endpoints that models share, in the OpenAPI document.
import { z } from 'zod';
import type { ZodOpenApiOperationObject, ZodOpenApiPathsObject } from 'zod-openapi';
import type { ErrorCode } from '../../models/contract/errors.ts';
import { defaultModel, spectraModel } from '../../models/contract/served-models.ts';
import { sharedTaskPaths, type SharedTask } from '../../models/contract/tasks.ts';
import { liteResultSchema, spectra2ResultSchema, speechResultSchema } from '../results/schemas.ts';
import { exampleResults } from '../openapi/examples.ts';
import { multipartOf, requestIdHeader } from '../openapi/requests.ts';
import { fileCodes, ignoredFields } from '../openapi/recordings.ts';
import { errors, headers, success } from '../openapi/responses.ts';
import { sharedForm, sharedMediaTypes, spectraHeaders } from './openapi-forms.ts';

const commonCodes: readonly ErrorCode[] = [
  ...fileCodes,
  'diarization_unsupported',
  'vocabulary_unsupported',
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

export const speechPaths: ZodOpenApiPathsObject = {
  [sharedTaskPaths.transcription]: { post: transcription },
  [sharedTaskPaths.emotion]: { post: scores('emotion', 'createEmotions', 'Emotion scores') },
  [sharedTaskPaths.style]: { post: scores('style', 'createStyles', 'Speaking-style scores') },
  [sharedTaskPaths.affect]: { post: scores('affect', 'createAffect', 'Emotion and style scores') },
  [sharedTaskPaths.analysis]: { post: analysis },
};
