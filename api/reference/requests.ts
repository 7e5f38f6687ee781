// Request bodies and headers of the OpenAPI document, made from the forms that are checked.
import { z } from 'zod';
import type { ZodOpenApiRequestBodyObject } from 'zod-openapi';
import type { CatalogModel, ModelLimits } from '../../models/contract/catalog-row.ts';
import { mediaTypesOf } from '../../models/contract/containers.ts';
import { requestIdOrEmptyPattern, requestIdPattern } from '../../models/contract/request-id.ts';
import { servedAt, spectraModel } from '../../models/contract/served-models.ts';
import { taskSteps, type SharedTask } from '../../models/contract/tasks.ts';
import { modelField } from '../http/form-fields.ts';
import { liteForm } from '../lite/request.ts';
import { sessionIdSchema } from '../sessions/schemas.ts';
import { commonForms } from '../speech/request.ts';
import { describeAudioFile } from '../upload/audio-file.ts';

/** All shapes of an endpoint in one: generators of clients cannot choose between forms. */
export function sharedForm(task: SharedTask) {
  const served = servedAt(task);
  const has = (shape: CatalogModel['shape']): boolean => served.some((row) => row.shape === shape);
  const ids = served.map(({ id }) => id) as [string, ...string[]];
  const id = `${task[0]!.toUpperCase()}${task.slice(1)}Request`;
  const strict = served.filter(({ shape }) => shape !== 'common').map(describeStrict);
  const refused = taskSteps[task].scores ? [] : ['`include_logits` is 400 `unknown_field` here.'];
  const description = [...strict, ...refused].join(' ');
  return z
    .looseObject({
      ...(has('lite') && liteForm.shape),
      ...commonForms[task].shape,
      model: modelField(ids),
    })
    .meta({ id, ...(description && { description }) });
}

function describeStrict({ id, shape, limits }: CatalogModel): string {
  const fields = shape === 'lite' ? 'no fields of others' : '`file` and `model` and nothing else';
  return `\`${id}\` takes ${fields}: ${describeAudioFile(limits)}.`;
}

/** The containers of every model of an endpoint, as MIME types of the part. */
export function sharedMediaTypes(task: SharedTask): string {
  return mediaTypesOf(servedAt(task).flatMap(({ limits }) => limits.containers));
}

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

/** `X-Request-ID` names one piece of work; empty counts as absent. */
export const requestIdHeader = z.object({
  'X-Request-ID': z.string().regex(requestIdOrEmptyPattern).optional().meta({
    description: 'One id is one piece of work and at most one charge.',
    example: 'call-4711',
  }),
});

export const idempotencyHeader = requestIdHeader.extend({
  'Idempotency-Key': z.string().regex(requestIdOrEmptyPattern).optional().meta({
    description: 'The same request again makes nothing new and is answered with what is there.',
  }),
});

export const spectraHeaders = requestIdHeader.extend({
  'X-Svc-Session': z
    .string()
    .optional()
    .meta({
      description: `\`${spectraModel}\`: a prepared session's token; its request id is a slot.`,
    }),
  'X-Svc-Session-Prepare': sessionIdSchema.optional().meta({
    description: `\`${spectraModel}\`: prepare the next session while serving this request.`,
  }),
});

export const streamSessionHeaders = z.object({
  'X-Svc-Session': z.string().meta({ description: "A prepared session's token." }),
  'X-Request-ID': z.string().regex(requestIdPattern).meta({ description: 'One of its ids.' }),
});
