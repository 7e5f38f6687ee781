// Request bodies and headers that operations of the OpenAPI document share.
import { z } from 'zod';
import type { ZodOpenApiRequestBodyObject } from 'zod-openapi';
import type { ModelLimits } from '../../models/contract/catalog-row.ts';
import { mediaTypesOf } from '../../models/contract/containers.ts';
import { requestIdOrEmptyPattern } from '../../models/contract/request-id.ts';

export function multipart(
  schema: z.ZodType,
  { containers }: Pick<ModelLimits, 'containers'>,
): ZodOpenApiRequestBodyObject {
  return multipartOf(schema, mediaTypesOf(containers));
}

export function multipartOf(schema: z.ZodType, contentType: string): ZodOpenApiRequestBodyObject {
  return {
    required: true,
    content: { 'multipart/form-data': { schema, encoding: { file: { contentType } } } },
  };
}

export function json(schema: z.ZodType, required = true): ZodOpenApiRequestBodyObject {
  return { required, content: { 'application/json': { schema } } };
}

/** `X-Request-ID` identifies one logical request; empty counts as absent. */
export const requestIdHeader = z.object({
  'X-Request-ID': z.string().regex(requestIdOrEmptyPattern).optional().meta({
    description: 'One id is one piece of work and at most one charge.',
    example: 'call-4711',
  }),
});

export const idempotencyHeader = requestIdHeader.extend({
  'Idempotency-Key': z.string().regex(requestIdOrEmptyPattern).optional().meta({
    description: 'Repeating the request creates nothing and returns what the first one created.',
  }),
});
