// POST /v1/audio/resonance-2 and its health in the OpenAPI document.
import { z } from 'zod';
import type { ZodOpenApiOperationObject, ZodOpenApiPathsObject } from 'zod-openapi';
import { limitsOf, resonance2Model } from '../../models/contract/served-models.ts';
import { shapePaths } from '../../models/contract/tasks.ts';
import { unprocessableCodes, uploadCodes } from '../openapi/recordings.ts';
import { multipart, requestIdHeader } from '../openapi/requests.ts';
import { detailResponse, errors, success } from '../openapi/responses.ts';
import { resonance2ResultSchema } from '../results/schemas.ts';
import { resonance2Form, resonance2Query } from './request.ts';

const healthSchema = z.strictObject({ status: z.literal('ok'), model: z.literal(resonance2Model) });

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
    '422': detailResponse(unprocessableCodes),
  },
};

export const resonance2Paths: ZodOpenApiPathsObject = {
  [shapePaths['resonance-2']]: { post: resonance2 },
  [`${shapePaths['resonance-2']}/health`]: {
    get: {
      operationId: 'getResonance2Health',
      tags: ['Health'],
      summary: 'Resonance-2 is ready',
      security: [],
      requestParams: { header: requestIdHeader },
      responses: {
        '200': success({ description: 'A worker serves the model.', schema: healthSchema }),
        ...errors(['model_unavailable']),
      },
    },
  },
};
