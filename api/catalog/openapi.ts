// Catalogs, health, access, sessions and tokens of the OpenAPI document.
import type { ZodOpenApiPathsObject } from 'zod-openapi';
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
} from '../sessions/schemas.ts';
import { exampleResults } from '../reference/examples.ts';
import { json, requestIdHeader, streamSessionHeaders } from '../reference/requests.ts';
import { bodyCodes, errors, keyCodes, success } from '../reference/responses.ts';

const header = { header: requestIdHeader };

/** Paths that take no key. */
const open = { security: [] };

/** A model that the endpoint does not take. */
const modelCodes = ['model_not_found', 'model_not_supported', 'model_retired'] as const;

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
  '/v1/models/svc-resonance-2/access': {
    get: {
      operationId: 'getResonance2Access',
      tags: ['Access'],
      summary: "The organization's access to Resonance-2",
      requestParams: header,
      responses: {
        '200': success({ description: 'The access.', schema: accessSchema }),
        ...errors(keyCodes),
      },
    },
    post: {
      operationId: 'requestResonance2Access',
      tags: ['Access'],
      summary: 'Ask for access to Resonance-2',
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
  },
  '/v1/models/svczero/access': {
    get: {
      operationId: 'getSyntheticSpeechAccess',
      tags: ['Access'],
      summary: 'Entitlement to synthetic-speech detection',
      requestParams: header,
      responses: {
        '200': success({ description: 'Included with the plan.', schema: entitlementSchema }),
        ...errors([...keyCodes, 'paid_plan_required']),
      },
    },
  },
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
  '/v1/audio/resonance-2/health': {
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
