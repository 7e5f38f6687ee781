// Forms and headers of the shared endpoints, for the OpenAPI document.
import { z } from 'zod';
import type { CatalogModel } from '../../models/contract/catalog-row.ts';
import { mediaTypesOf } from '../../models/contract/containers.ts';
import { liteModel, servedAt, spectraModel } from '../../models/contract/served-models.ts';
import { taskSteps, type SharedTask } from '../../models/contract/tasks.ts';
import { modelField } from '../http/form-fields.ts';
import { liteForm, liteLanguages } from '../lite/request.ts';
import { requestIdHeader } from '../openapi/requests.ts';
import { sessionIdSchema } from '../sessions/schemas.ts';
import { describeAudioFile } from '../fields/audio-file.ts';
import { languageField } from '../fields/language.ts';
import { commonForms } from './request.ts';

/** What the common and the lite shape take. */
const anyLanguage = z
  .enum([...new Set([...languageField.options, ...liteLanguages])])
  .optional()
  .meta({
    description: `${languageField.description} \`${liteModel}\`: ${liteLanguages.join(', ')}.`,
  });

/** All forms of an endpoint as one, because client generators cannot choose between forms. */
export function sharedForm(task: SharedTask) {
  const served = servedAt(task);
  const has = (shape: CatalogModel['shape']): boolean => served.some((row) => row.shape === shape);
  const ids = served.map(({ id }) => id) as [string, ...string[]];
  const id = `${task[0]!.toUpperCase()}${task.slice(1)}Request`;
  const strict = served.filter(({ shape }) => shape !== 'common').map(describeStrict);
  const rejected = taskSteps[task].scores ? [] : ['`include_logits` is 400 `unknown_field` here.'];
  const description = [...strict, ...rejected].join(' ');
  return z
    .looseObject({
      ...(has('lite') && liteForm.shape),
      ...commonForms[task].shape,
      ...(has('lite') && { language: anyLanguage }),
      model: modelField(ids),
    })
    .meta({ id, ...(description && { description }) });
}

function describeStrict({ id, shape, limits }: CatalogModel): string {
  const fields = shape === 'lite' ? 'no fields of others' : '`file` and `model` and nothing else';
  return `\`${id}\` takes ${fields}: ${describeAudioFile(limits)}.`;
}

/** MIME types of all containers that the models of an endpoint accept. */
export function sharedMediaTypes(task: SharedTask): string {
  return mediaTypesOf(servedAt(task).flatMap(({ limits }) => limits.containers));
}

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
