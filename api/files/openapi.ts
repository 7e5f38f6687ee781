// Files in the OpenAPI document.
import type { ZodOpenApiPathsObject } from 'zod-openapi';
import { defaultModel, limitsOf } from '../../models/contract/served-models.ts';
import { deletedSchema, listOf, pageQuerySchema } from '../http/list-schemas.ts';
import { json, multipart, requestIdHeader } from '../openapi/requests.ts';
import { inPath, keyedHeader, listCodes, namedCodes, replayHeader } from '../openapi/resources.ts';
import { bodyCodes, errors, success } from '../openapi/responses.ts';
import { fileForm } from './request.ts';
import {
  fileSchema,
  presignedFileSchema,
  presignRequestSchema,
  sourcedFileSchema,
} from './schemas.ts';

/** An upload, or the address of a recording. */
const fileBody = {
  required: true,
  content: {
    ...multipart(fileForm, limitsOf(defaultModel)).content,
    ...json(sourcedFileSchema).content,
  },
};

const header = { header: requestIdHeader };

/** Error codes of operations that store files. */
const storageCodes = ['allowance_exhausted', 'storage_quota_exceeded'] as const;

export const filePaths: ZodOpenApiPathsObject = {
  '/v1/files': {
    post: {
      operationId: 'uploadFile',
      tags: ['Batches'],
      summary: 'Upload a recording for batches, or give its address',
      requestParams: keyedHeader,
      requestBody: fileBody,
      responses: {
        '200': success({ description: 'The file.', schema: fileSchema, headers: replayHeader }),
        ...errors([
          ...bodyCodes.filter((code) => code !== 'invalid_json'),
          'missing_file',
          'invalid_multipart',
          'unsupported_audio',
          'invalid_json',
          'source_refused',
          'file_too_large',
          'upload_timeout',
          'idempotency_conflict',
          ...storageCodes,
        ]),
      },
    },
    get: {
      operationId: 'listFiles',
      tags: ['Batches'],
      summary: 'Files, newest first',
      requestParams: { ...header, query: pageQuerySchema },
      responses: {
        '200': success({ description: 'A page.', schema: listOf(fileSchema, 'FileList') }),
        ...errors(listCodes),
      },
    },
  },
  '/v1/files/presign': {
    post: {
      operationId: 'presignFile',
      tags: ['Batches'],
      summary: 'A presigned URL that uploads a recording straight to object storage',
      requestParams: keyedHeader,
      requestBody: json(presignRequestSchema),
      responses: {
        '200': success({
          description: 'The pending file, and the PUT that uploads it.',
          schema: presignedFileSchema,
          headers: replayHeader,
        }),
        ...errors([...bodyCodes, ...storageCodes, 'file_too_large', 'idempotency_conflict']),
      },
    },
  },
  '/v1/files/{id}': {
    get: {
      operationId: 'getFile',
      tags: ['Batches'],
      summary: 'A file',
      requestParams: inPath,
      responses: {
        '200': success({ description: 'The file.', schema: fileSchema }),
        ...errors(namedCodes),
      },
    },
    delete: {
      operationId: 'deleteFile',
      tags: ['Batches'],
      summary: 'Delete a file and its audio',
      requestParams: inPath,
      responses: {
        '200': success({ description: 'The file is deleted.', schema: deletedSchema }),
        ...errors([...namedCodes, 'file_in_use']),
      },
    },
  },
};
