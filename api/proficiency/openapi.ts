// POST /v1/audio/proficiency in the OpenAPI document.
import type { ZodOpenApiOperationObject, ZodOpenApiPathsObject } from 'zod-openapi';
import { limitsOf, proficiencyModel } from '../../models/contract/served-models.ts';
import { shapePaths } from '../../models/contract/tasks.ts';
import { fileCodes, ignoredFields } from '../openapi/recordings.ts';
import { multipart, requestIdHeader } from '../openapi/requests.ts';
import { errors, success } from '../openapi/responses.ts';
import { proficiencyForm } from './request.ts';
import { proficiencyResultSchema } from './schema.ts';

const proficiency: ZodOpenApiOperationObject = {
  operationId: 'createProficiency',
  tags: ['Audio'],
  summary: 'Speaking proficiency of a recording',
  requestParams: { header: requestIdHeader },
  requestBody: multipart(proficiencyForm, limitsOf(proficiencyModel)),
  responses: {
    '200': success({
      description: 'Scores, measures and their check.',
      schema: proficiencyResultSchema,
      headers: ignoredFields,
    }),
    ...errors(fileCodes),
  },
};

export const proficiencyPaths: ZodOpenApiPathsObject = {
  [shapePaths.proficiency]: { post: proficiency },
};
