// Prepared sessions, stream sessions and client tokens in the OpenAPI document.
import type { ZodOpenApiPathsObject } from 'zod-openapi';
import { json, requestIdHeader } from '../openapi/requests.ts';
import { bodyCodes, errors, success } from '../openapi/responses.ts';
import {
  clientTokenRequestSchema,
  clientTokenSchema,
  sessionRequestSchema,
  sessionSchema,
  streamSessionHeaders,
  streamSessionRequestSchema,
  streamSessionSchema,
} from './schemas.ts';

const header = { header: requestIdHeader };

/** An error for a model that the endpoint does not serve. */
const modelCodes = ['model_not_found', 'model_not_supported', 'model_retired'] as const;

export const sessionPaths: ZodOpenApiPathsObject = {
  '/v1/audio/sessions': {
    post: {
      operationId: 'createSession',
      tags: ['Sessions'],
      summary: 'Prepare a session before recording',
      requestParams: header,
      requestBody: json(sessionRequestSchema),
      responses: {
        '200': success({
          description: 'The session.',
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
          description: 'URL and ticket of the WebSocket.',
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
