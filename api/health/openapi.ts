// GET /livez and GET /readyz in the OpenAPI document.
import { z } from 'zod';
import type { ZodOpenApiPathsObject } from 'zod-openapi';
import { requestIdHeader } from '../openapi/requests.ts';
import { errors, success } from '../openapi/responses.ts';

const check = z.string();
const checksSchema = z.strictObject({
  database: check,
  object_storage: check,
  temporal: check,
  workers: check,
  models: check,
});

const liveSchema = z.strictObject({ status: z.literal('ok') });
export const readySchema = z.strictObject({ status: z.literal('ready'), checks: checksSchema });

/** Others are ignored: monitors add what they like. */
export const readyQuerySchema = z.object({
  of: z
    .enum(['inference', 'api'])
    .describe('`api`: what an API itself has to reach, for proxies; default `inference`.')
    .optional(),
});

const header = { header: requestIdHeader };

export const healthPaths: ZodOpenApiPathsObject = {
  '/livez': {
    get: {
      operationId: 'getLiveness',
      tags: ['Health'],
      summary: 'Liveness of the process',
      security: [],
      requestParams: header,
      responses: {
        '200': success({ description: 'The process is alive.', schema: liveSchema }),
        ...errors([]),
      },
    },
  },
  '/readyz': {
    get: {
      operationId: 'getReadiness',
      tags: ['Health'],
      summary: 'Readiness of everything that inference needs',
      security: [],
      requestParams: { ...header, query: readyQuerySchema },
      responses: {
        '200': success({
          description: 'Every check that was asked for succeeded.',
          schema: readySchema,
        }),
        ...errors(['invalid_field', 'not_ready']),
      },
    },
  },
};
