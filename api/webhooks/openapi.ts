// Webhooks in the OpenAPI document.
import type { ZodOpenApiPathsObject } from 'zod-openapi';
import { json, requestIdHeader } from '../openapi/requests.ts';
import { bodyCodes, errors, keyCodes, success } from '../openapi/responses.ts';
import { webhookSecretSchema, webhookTestResultSchema, webhookTestSchema } from './schemas.ts';

const header = { header: requestIdHeader };

export const webhookPaths: ZodOpenApiPathsObject = {
  '/v1/webhooks/secret': {
    post: {
      operationId: 'rotateWebhookSecret',
      tags: ['Webhooks'],
      summary: 'Create or rotate the secret that signs webhooks',
      requestParams: header,
      responses: {
        '200': success({
          description:
            'Shown once. The previous secret also signs for 24 hours, or until the next rotation.',
          schema: webhookSecretSchema,
        }),
        ...errors([...keyCodes, 'server_only']),
      },
    },
  },
  '/v1/webhooks/test': {
    post: {
      operationId: 'testWebhook',
      tags: ['Webhooks'],
      summary: 'Send one signed `webhook.test` event',
      requestParams: header,
      requestBody: json(webhookTestSchema),
      responses: {
        '200': success({
          description: 'What the receiver answered.',
          schema: webhookTestResultSchema,
        }),
        ...errors([...bodyCodes, 'server_only']),
      },
    },
  },
};
