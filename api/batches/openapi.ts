// Batches of the OpenAPI document.
import { z } from 'zod';
import type { ZodOpenApiPathsObject, ZodOpenApiResponseObject } from 'zod-openapi';
import { exportFormats } from '../../models/exports/formats.ts';
import { deletedSchema, listOf, pageQuerySchema } from '../http/list-schemas.ts';
import {
  batchItemSchema,
  batchRequestSchema,
  batchSchema,
  exportQuerySchema,
  itemQuerySchema,
} from './schemas.ts';
import { batchResultSchema, callMetricsSchema } from '../results/line-schemas.ts';
import { inPath, keyedHeader, listCodes, replayHeader, namedCodes } from '../openapi/resources.ts';
import { json, requestIdHeader } from '../openapi/requests.ts';
import { bodyCodes, errors, headers, success } from '../openapi/responses.ts';

const header = { header: requestIdHeader };

const batchEventSchema = z.object({
  event: z.literal('batch'),
  id: z.string(),
  data: z.string().describe('The batch as JSON.'),
});

/** An answer that is streamed. */
function streamed(description: string, type: string, schema: z.ZodType): ZodOpenApiResponseObject {
  return { description, headers: headers(), content: { [type]: { schema } } };
}

export const batchPaths: ZodOpenApiPathsObject = {
  '/v1/batches': {
    post: {
      operationId: 'createBatch',
      tags: ['Batches'],
      summary: 'Analyse many files',
      requestParams: keyedHeader,
      requestBody: json(batchRequestSchema),
      responses: {
        '202': success({
          description: 'The batch, which runs in the background.',
          schema: batchSchema,
          headers: { ...replayHeader, Location: z.string() },
        }),
        ...errors([
          ...bodyCodes,
          'allowance_exhausted',
          'storage_quota_exceeded',
          'model_not_found',
          'model_not_supported',
          'model_retired',
          'diarization_unsupported',
          'vocabulary_unsupported',
          'unsupported_audio',
          'source_refused',
          'idempotency_conflict',
        ]),
      },
    },
    get: {
      operationId: 'listBatches',
      tags: ['Batches'],
      summary: 'Batches, newest first',
      requestParams: { ...header, query: pageQuerySchema },
      responses: {
        '200': success({ description: 'A page.', schema: listOf(batchSchema, 'BatchList') }),
        ...errors(listCodes),
      },
    },
  },
  '/v1/batches/{id}': {
    get: {
      operationId: 'getBatch',
      tags: ['Batches'],
      summary: 'A batch: state, counts, estimate',
      requestParams: inPath,
      responses: {
        '200': success({ description: 'The batch.', schema: batchSchema }),
        ...errors(namedCodes),
      },
    },
    delete: {
      operationId: 'deleteBatch',
      tags: ['Batches'],
      summary: 'Delete an ended batch: results, audio and rows',
      description:
        'Files that an unfinished batch needs stay; other ended batches keep their results alone.',
      requestParams: inPath,
      responses: {
        '200': success({ description: 'The batch is deleted.', schema: deletedSchema }),
        ...errors([...namedCodes, 'batch_in_progress']),
      },
    },
  },
  '/v1/batches/{id}/items': {
    get: {
      operationId: 'listBatchItems',
      tags: ['Batches'],
      summary: 'Items in their order',
      requestParams: { ...inPath, query: itemQuerySchema },
      responses: {
        '200': success({ description: 'A page.', schema: listOf(batchItemSchema, 'ItemList') }),
        ...errors([...listCodes, 'not_found']),
      },
    },
  },
  '/v1/batches/{id}/export': {
    get: {
      operationId: 'exportBatch',
      tags: ['Batches'],
      summary: 'All results in one format, as a ZIP archive',
      requestParams: { ...inPath, query: exportQuerySchema },
      responses: {
        '200': {
          description: 'A file for each item that is completed, named after it.',
          headers: headers(),
          content: { 'application/zip': { schema: { type: 'string', format: 'binary' } } },
        },
        ...errors([...listCodes, 'not_found']),
      },
    },
  },
  '/v1/batches/{id}/items/{index}/export': {
    get: {
      operationId: 'exportBatchItem',
      tags: ['Batches'],
      summary: 'A result as subtitles, text, turns, table, report or call metrics',
      requestParams: {
        path: z.object({ id: z.string(), index: z.int().min(0) }),
        header: requestIdHeader,
        query: exportQuerySchema,
      },
      responses: {
        '200': {
          description: 'In the format; speakers are named by their roles.',
          headers: headers(),
          content: Object.fromEntries(
            Object.values(exportFormats).map(({ mediaType }) => [
              mediaType,
              {
                schema:
                  mediaType === exportFormats.metrics.mediaType ? callMetricsSchema : z.string(),
              },
            ]),
          ),
        },
        ...errors([...listCodes, 'not_found']),
      },
    },
  },
  '/v1/batches/{id}/results': {
    get: {
      operationId: 'getBatchResults',
      tags: ['Batches'],
      summary: 'A JSON line per item that has ended',
      requestParams: inPath,
      responses: {
        '200': streamed('In the order of the items.', 'application/jsonl', batchResultSchema),
        ...errors(namedCodes),
      },
    },
  },
  '/v1/batches/{id}/events': {
    get: {
      operationId: 'streamBatchEvents',
      tags: ['Batches'],
      summary: 'Progress as server-sent events',
      requestParams: inPath,
      responses: {
        '200': streamed(
          'Events `batch` with the batch, until it has ended; the schema is of one of them.',
          'text/event-stream',
          batchEventSchema,
        ),
        '204': {
          description: 'The last event was read before: `Last-Event-ID` is its id, `ended`.',
          headers: headers(),
        },
        ...errors(namedCodes),
      },
    },
  },
  '/v1/batches/{id}/cancel': {
    post: {
      operationId: 'cancelBatch',
      tags: ['Batches'],
      summary: 'Cancel a batch; completed items keep their results',
      requestParams: inPath,
      responses: {
        '200': success({ description: 'The batch, cancelling.', schema: batchSchema }),
        ...errors([...namedCodes, 'batch_already_ended']),
      },
    },
  },
};
