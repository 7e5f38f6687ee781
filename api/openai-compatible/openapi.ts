// The endpoints for OpenAI's clients in the OpenAPI document.
import { z } from 'zod';
import type { ZodOpenApiPathsObject } from 'zod-openapi';
import { mediaTypesOf } from '../../models/contract/containers.ts';
import type { ErrorCode } from '../../models/contract/errors.ts';
import { requestIdOrEmptyPattern } from '../../models/contract/request-id.ts';
import { defaultModel, limitsOf } from '../../models/contract/served-models.ts';
import { multipartOf, requestIdHeader } from '../openapi/requests.ts';
import { errors, headers, keyCodes, success } from '../openapi/responses.ts';
import { fileCodes } from '../openapi/recordings.ts';
import { openAiForm } from './request.ts';
import { openAiPaths } from './routes.ts';
import {
  openAiDiarizedSchema,
  openAiEventSchema,
  openAiModelListSchema,
  openAiModelSchema,
  openAiTranscriptionSchema,
  openAiVerboseSchema,
} from '../results/openai-schemas.ts';

const tags = ['OpenAI'];
const requestParams = { header: requestIdHeader };

const keyOrIdHeader = requestIdHeader.extend({
  'Idempotency-Key': z.string().regex(requestIdOrEmptyPattern).optional().meta({
    description: 'The same as `X-Request-ID`: one that is used up is 409, without its result.',
  }),
});

const formCodes: readonly ErrorCode[] = [
  ...fileCodes,
  'unknown_field',
  'diarization_unsupported',
  'vocabulary_unsupported',
  'diarization_upstream_failed',
];

const shouldRetry = {
  'X-Should-Retry': z.literal('false').optional().meta({
    description: 'Where the work was charged, or may go on: another id is charged again.',
  }),
};

export const openAiPathItems: ZodOpenApiPathsObject = {
  [openAiPaths.transcriptions]: {
    post: {
      operationId: 'createOpenAiTranscription',
      tags,
      summary: "Transcribe a recording, for OpenAI's clients",
      requestParams: { header: keyOrIdHeader },
      requestBody: multipartOf(openAiForm, mediaTypesOf(limitsOf(defaultModel).containers)),
      responses: {
        '200': {
          description: 'The transcript in the format that was asked for.',
          headers: headers(),
          content: {
            'application/json': {
              schema: z.union([
                openAiDiarizedSchema,
                openAiVerboseSchema,
                openAiTranscriptionSchema,
              ]),
            },
            'text/plain': { schema: z.string() },
            'text/event-stream': { schema: openAiEventSchema },
          },
        },
        ...errors(formCodes, shouldRetry),
      },
    },
  },
  [openAiPaths.models]: {
    get: {
      operationId: 'listOpenAiModels',
      tags,
      summary: 'Models that the transcription endpoint takes',
      requestParams,
      responses: {
        '200': success({ description: 'The models.', schema: openAiModelListSchema }),
        ...errors(keyCodes),
      },
    },
  },
  [`${openAiPaths.models}/{id}`]: {
    get: {
      operationId: 'getOpenAiModel',
      tags,
      summary: 'One of them',
      requestParams: { ...requestParams, path: z.object({ id: z.string() }) },
      responses: {
        '200': success({ description: 'The model.', schema: openAiModelSchema }),
        ...errors([...keyCodes, 'not_found']),
      },
    },
  },
};
