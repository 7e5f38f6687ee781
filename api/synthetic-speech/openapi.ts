// POST /v1/audio/synthetic-speech in the OpenAPI document.
import type { ZodOpenApiOperationObject, ZodOpenApiPathsObject } from 'zod-openapi';
import { limitsOf, syntheticModel } from '../../models/contract/served-models.ts';
import { shapePaths } from '../../models/contract/tasks.ts';
import { unprocessableCodes, uploadCodes } from '../openapi/recordings.ts';
import { multipart, requestIdHeader } from '../openapi/requests.ts';
import { errorResponse, errors, success } from '../openapi/responses.ts';
import { syntheticResultSchema } from '../results/schemas.ts';
import { syntheticForm } from './routes.ts';

const synthetic: ZodOpenApiOperationObject = {
  operationId: 'detectSyntheticSpeech',
  tags: ['Audio'],
  summary: 'Human or synthetic speech',
  requestParams: { header: requestIdHeader },
  requestBody: multipart(syntheticForm, limitsOf(syntheticModel)),
  responses: {
    '200': success({ description: 'The prediction.', schema: syntheticResultSchema }),
    ...errors([...uploadCodes, 'idempotency_conflict', 'paid_plan_required', 'preview_disabled']),
    '422': errorResponse('422', unprocessableCodes),
  },
};

export const syntheticSpeechPaths: ZodOpenApiPathsObject = {
  [shapePaths['synthetic-speech']]: { post: synthetic },
};
