// Catalogs, health, access, sessions and tokens in the OpenAPI document.
import type { ZodOpenApiPathItemObject, ZodOpenApiPathsObject } from 'zod-openapi';
import { models, modelsOf, type PublicModel } from '../../models/contract/served-models.ts';
import { shapePaths } from '../../models/contract/tasks.ts';
import { accessPath } from './access.ts';
import {
  accessRequestSchema,
  accessSchema,
  entitlementSchema,
  liveSchema,
  modelListSchema,
  pricingSchema,
  readySchema,
  sidecarSchema,
} from './schemas.ts';
import {
  clientTokenRequestSchema,
  clientTokenSchema,
  sessionRequestSchema,
  sessionSchema,
  streamSessionRequestSchema,
  streamSessionSchema,
  streamSessionHeaders,
} from '../sessions/schemas.ts';
import { exampleResults } from '../openapi/examples.ts';
import { json, requestIdHeader } from '../openapi/requests.ts';
import { bodyCodes, errors, keyCodes, success } from '../openapi/responses.ts';

const header = { header: requestIdHeader };

/** Paths without authentication. */
const open = { security: [] };

/** An error for a model that the endpoint does not serve. */
const modelCodes = ['model_not_found', 'model_not_supported', 'model_retired'] as const;

/** The first model of a form is identified by the form. */
function named({ id, shape }: PublicModel): string {
  const name = modelsOf(shape)[0] === id ? shape : id;
  return name.replaceAll(/(^|-)(\w)/g, (_, _dash, letter: string) => letter.toUpperCase());
}

function approval(row: PublicModel): ZodOpenApiPathItemObject {
  return {
    get: {
      operationId: `get${named(row)}Access`,
      tags: ['Access'],
      summary: `The organization's access to ${row.id}`,
      requestParams: header,
      responses: {
        '200': success({ description: 'The access.', schema: accessSchema }),
        ...errors(keyCodes),
      },
    },
    post: {
      operationId: `request${named(row)}Access`,
      tags: ['Access'],
      summary: `Ask for access to ${row.id}`,
      requestParams: header,
      requestBody: json(accessRequestSchema),
      responses: {
        '200': success({ description: 'It was asked for before.', schema: accessSchema }),
        '202': success({
          description: 'An operator decides.',
          schema: accessSchema,
          example: exampleResults.access,
        }),
        ...errors(bodyCodes),
      },
    },
  };
}

function paidPlan(row: PublicModel): ZodOpenApiPathItemObject {
  return {
    get: {
      operationId: `get${named(row)}Access`,
      tags: ['Access'],
      summary: `Entitlement to ${row.id}`,
      requestParams: header,
      responses: {
        '200': success({ description: 'Included with the plan.', schema: entitlementSchema }),
        ...errors([...keyCodes, 'paid_plan_required']),
      },
    },
  };
}

const accessPaths: ZodOpenApiPathsObject = Object.fromEntries(
  models.flatMap((row) =>
    row.access
      ? [[accessPath(row.id), row.access === 'approval' ? approval(row) : paidPlan(row)]]
      : [],
  ),
);

const sessionPaths: ZodOpenApiPathsObject = {
  '/v1/audio/sessions': {
    post: {
      operationId: 'createSession',
      tags: ['Sessions'],
      summary: 'Prepare a session before recording',
      requestParams: header,
      requestBody: json(sessionRequestSchema),
      responses: {
        '200': success({
          description: 'The session; nothing was inferred.',
          schema: sessionSchema,
        }),
        ...errors([
          ...bodyCodes,
          ...modelCodes,
          'allowance_exhausted',
          'server_only',
          'session_unavailable',
          'request_already_completed',
          'session_busy',
          'setup_unconfirmed',
        ]),
      },
    },
  },
  '/v1/audio/stream-sessions': {
    post: {
      operationId: 'createStreamSession',
      tags: ['Sessions'],
      summary: 'Set up one stream of a prepared session',
      requestParams: { header: streamSessionHeaders },
      requestBody: json(streamSessionRequestSchema),
      responses: {
        '200': success({
          description: 'Where and with which ticket to open the WebSocket.',
          schema: streamSessionSchema,
        }),
        ...errors([
          ...bodyCodes,
          ...modelCodes,
          'allowance_exhausted',
          'server_only',
          'session_unavailable',
          'session_expired',
          'direct_streaming_unavailable',
          'request_in_progress',
          'request_already_completed',
          'idempotency_conflict',
          'session_capacity_unavailable',
          'setup_unconfirmed',
        ]),
      },
    },
  },
  '/v1/client-token': {
    post: {
      operationId: 'createClientToken',
      tags: ['Sessions'],
      summary: 'A token for one stream of the lite model',
      requestParams: header,
      requestBody: json(clientTokenRequestSchema, false),
      responses: {
        '200': success({
          description: 'Valid for 60 seconds, for one stream.',
          schema: clientTokenSchema,
        }),
        ...errors([...bodyCodes, 'allowance_exhausted']),
      },
    },
  },
};

export const accountPaths: ZodOpenApiPathsObject = {
  ...sessionPaths,
  '/v1/models': {
    get: {
      operationId: 'listModels',
      tags: ['Catalog'],
      summary: 'Models, their tasks and limits',
      requestParams: header,
      responses: {
        '200': success({ description: 'The catalog.', schema: modelListSchema }),
        ...errors(keyCodes),
      },
    },
  },
  '/v1/pricing': {
    get: {
      operationId: 'getPricing',
      tags: ['Catalog'],
      summary: 'Reference rates',
      ...open,
      requestParams: header,
      responses: {
        '200': success({ description: 'Rates per audio minute.', schema: pricingSchema }),
        ...errors([]),
      },
    },
  },
  ...accessPaths,
  '/livez': {
    get: {
      operationId: 'getLiveness',
      tags: ['Health'],
      summary: 'The process is live',
      ...open,
      requestParams: header,
      responses: {
        '200': success({ description: 'It is.', schema: liveSchema }),
        ...errors([]),
      },
    },
  },
  '/readyz': {
    get: {
      operationId: 'getReadiness',
      tags: ['Health'],
      summary: 'Everything that inference needs is ready',
      ...open,
      requestParams: header,
      responses: {
        '200': success({ description: 'It is.', schema: readySchema }),
        ...errors(['not_ready']),
      },
    },
  },
  [`${shapePaths['resonance-2']}/health`]: {
    get: {
      operationId: 'getResonance2Health',
      tags: ['Health'],
      summary: 'Resonance-2 is ready',
      ...open,
      requestParams: header,
      responses: {
        '200': success({ description: 'It is.', schema: sidecarSchema }),
        ...errors(['model_unavailable']),
      },
    },
  },
};
