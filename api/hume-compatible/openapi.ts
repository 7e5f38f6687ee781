// The batch API for Hume's clients in the OpenAPI document.
import { z } from 'zod';
import type { ZodOpenApiPathsObject } from 'zod-openapi';
import { defaultModel, limitsOf } from '../../models/contract/served-models.ts';
import { json, multipart, requestIdHeader } from '../openapi/requests.ts';
import { listCodes, namedCodes } from '../openapi/resources.ts';
import { bodyCodes, errors, headers, success } from '../openapi/responses.ts';
import { humeJobIdSchema, humeJobSchema, humePredictionSchema } from '../results/hume-schemas.ts';
import { humeJobsQuery } from './list-jobs.ts';
import { humeForm, humeUrlRequest } from './request.ts';
import { humeJobsPath } from './routes.ts';

const tags = ['Hume'];
const named = { header: requestIdHeader, path: z.object({ id: z.string() }) };
/** With dashes or without; empty counts as absent. */
const jobIdHeader = z.object({
  'X-Request-ID': z
    .string()
    .regex(/^([0-9a-f]{32}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})?$/)
    .optional()
    .meta({
      description: 'The id of the job, a UUID: one id is one job.',
      example: '6f1c52a4-0c3d-4b0e-9d5e-7a1f8f0f2b11',
    }),
});
const ended = [...namedCodes, 'batch_in_progress'] as const;

export const humePathItems: ZodOpenApiPathsObject = {
  [humeJobsPath]: {
    get: {
      operationId: 'listHumeJobs',
      tags,
      summary: 'Jobs, the newest first unless the query says otherwise',
      requestParams: { header: requestIdHeader, query: humeJobsQuery },
      responses: {
        '200': success({ description: 'The jobs.', schema: z.array(humeJobSchema) }),
        ...errors(listCodes),
      },
    },
    post: {
      operationId: 'startHumeJob',
      tags,
      summary: "Start a job, for Hume's clients",
      requestParams: { header: jobIdHeader },
      requestBody: {
        required: true,
        content: {
          ...multipart(humeForm, limitsOf(defaultModel)).content,
          ...json(humeUrlRequest).content,
        },
      },
      responses: {
        '200': success({
          description: 'The id of the job: `X-Request-ID`, or a new one.',
          schema: humeJobIdSchema,
        }),
        ...errors([
          ...bodyCodes,
          'missing_file',
          'duplicate_field',
          'invalid_multipart',
          'invalid_request_id',
          'unsupported_audio',
          'source_refused',
          'file_too_large',
          'upload_timeout',
          'idempotency_conflict',
          'allowance_exhausted',
          'storage_quota_exceeded',
        ]),
      },
    },
  },
  [`${humeJobsPath}/{id}`]: {
    get: {
      operationId: 'getHumeJob',
      tags,
      summary: 'A job and its state',
      requestParams: named,
      responses: {
        '200': success({ description: 'The job.', schema: humeJobSchema }),
        ...errors(namedCodes),
      },
    },
  },
  [`${humeJobsPath}/{id}/predictions`]: {
    get: {
      operationId: 'getHumePredictions',
      tags,
      summary: 'The predictions of an ended job',
      requestParams: named,
      responses: {
        '200': success({
          description: 'An element for each recording.',
          schema: z.array(humePredictionSchema),
        }),
        ...errors(ended),
      },
    },
  },
  [`${humeJobsPath}/{id}/artifacts`]: {
    get: {
      operationId: 'getHumeArtifacts',
      tags,
      summary: 'The same in a ZIP archive, with tables',
      requestParams: named,
      responses: {
        '200': {
          description: 'A folder for each recording.',
          headers: headers(),
          content: { 'application/zip': { schema: { type: 'string', format: 'binary' } } },
        },
        ...errors(ended),
      },
    },
  },
};
