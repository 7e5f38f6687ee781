// The catalogs and the access to models in the OpenAPI document.
import type { ZodOpenApiPathItemObject, ZodOpenApiPathsObject } from 'zod-openapi';
import { models, modelsOf, type PublicModel } from '../../models/contract/served-models.ts';
import { accessPath } from './access.ts';
import {
  accessRequestSchema,
  accessSchema,
  entitlementSchema,
  modelListSchema,
  pricingSchema,
} from './schemas.ts';
import { exampleResults } from '../openapi/examples.ts';
import { json, requestIdHeader } from '../openapi/requests.ts';
import { bodyCodes, errors, keyCodes, success } from '../openapi/responses.ts';

const header = { header: requestIdHeader };

/** Paths without authentication. */
const open = { security: [] };

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
      summary: `Request access to ${row.id}`,
      requestParams: header,
      requestBody: json(accessRequestSchema),
      responses: {
        '200': success({ description: 'Access was requested before.', schema: accessSchema }),
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

export const catalogPaths: ZodOpenApiPathsObject = {
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
};
