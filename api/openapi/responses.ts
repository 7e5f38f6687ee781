// Responses of the OpenAPI document: every error code under its status, and every header.
import { z } from 'zod';
import type { ZodOpenApiResponseObject, ZodOpenApiResponsesObject } from 'zod-openapi';
import { errorRules, ServiceError, type ErrorCode } from '../../models/contract/errors.ts';
import { headersOf, toEnvelope } from '../http/errors.ts';
import { errorEnvelopeSchema } from '../results/schemas.ts';

const requestId = z.string().meta({
  description: "The request's id: the caller's or a new one.",
  header: { id: 'RequestId' },
});
const retryAfter = z.int().min(1).meta({ description: 'Whole seconds to wait at least.' });
const rateHeaders = {
  'RateLimit-Policy': z
    .string()
    .optional()
    .meta({
      description: 'Requests (q) of a key in a window of so many seconds (w).',
      example: '"key";q=3000;w=60',
      header: { id: 'RateLimitPolicy' },
    }),
  RateLimit: z
    .string()
    .optional()
    .meta({
      description: 'What is left (r), and seconds until it is renewed (t).',
      example: '"key";r=2999;t=60',
      header: { id: 'RateLimit' },
    }),
};

/** Optional headers besides those of every answer. */
type ExtraHeaders = Readonly<Record<string, z.ZodType>>;

export function headers(extra: ExtraHeaders = {}) {
  return z.object({ 'X-Request-ID': requestId, ...rateHeaders, ...extra });
}

export interface SuccessOptions {
  readonly description: string;
  readonly schema: z.ZodType;
  readonly example?: unknown;
  readonly headers?: ExtraHeaders;
}

export function success(options: SuccessOptions): ZodOpenApiResponseObject {
  const { description, schema, example } = options;
  const content = { schema, ...(example !== undefined && { example }) };
  return {
    description,
    headers: headers(options.headers),
    content: { 'application/json': content },
  };
}

/** Codes of every endpoint. */
const everywhere: readonly ErrorCode[] = ['invalid_request_id', 'internal_error'];
/** Codes of every endpoint that requires a key. */
export const keyCodes: readonly ErrorCode[] = [
  'invalid_api_key',
  'account_suspended',
  'rate_limited',
  'not_ready',
];

/** Codes of every endpoint that takes JSON and requires a key. */
export const bodyCodes: readonly ErrorCode[] = [
  ...keyCodes,
  'invalid_json',
  'duplicate_field',
  'invalid_field',
  'missing_field',
  'unknown_field',
  'body_too_large',
  'upload_timeout',
  'unsupported_media_type',
];

/** One response per status, with an example per code. @param extra headers of some of them */
export function errors(
  codes: readonly ErrorCode[],
  extra: ExtraHeaders = {},
): ZodOpenApiResponsesObject {
  const byStatus = Map.groupBy(new Set([...everywhere, ...codes]), (code) => {
    return String(errorRules[code].status) as `${1 | 2 | 3 | 4 | 5}${string}`;
  });
  return Object.fromEntries(
    [...byStatus].map(([status, group]) => [status, errorResponse(status, group, extra)]),
  );
}

/** The response for codes in the envelope; `status` may be another than their own. */
export function errorResponse(
  status: string,
  codes: readonly ErrorCode[],
  extra: ExtraHeaders = {},
): ZodOpenApiResponseObject {
  const examples = codes.map((code) => [code, { $ref: `#/components/examples/${code}` }] as const);
  const mayWait = status === '429' ? retryAfter : retryAfter.optional();
  return {
    description: meanings(codes),
    headers: headers({
      ...extra,
      ...fixedHeaders(codes),
      ...(['429', '503'].includes(status) && { 'Retry-After': mayWait }),
    }),
    content: {
      'application/json': { schema: errorEnvelopeSchema, examples: Object.fromEntries(examples) },
    },
  };
}

function meanings(codes: readonly ErrorCode[]): string {
  return codes.map((code) => `\`${code}\`: ${errorRules[code].meaning}`).join(' ');
}

/** The headers that every answer with one of these codes has. */
function fixedHeaders(codes: readonly ErrorCode[]): ExtraHeaders {
  const all = codes.flatMap((code) => Object.entries(headersOf(new ServiceError(code, ''))));
  const fixed = all.filter(([name]) => name !== 'Retry-After');
  return Object.fromEntries(fixed.map(([name, value]) => [name, z.literal(value)]));
}

const exampleMessage = 'What was wrong, what is allowed, and what was received.';

/** Codes without an operation: other methods, plain requests to streams, malformed HTTP. */
const ofNoOperation: readonly ErrorCode[] = [
  'method_not_allowed',
  'upgrade_required',
  'expectation_failed',
  'headers_too_large',
  // Of items of batches.
  'source_rejected',
  'source_unreachable',
];

/** The envelope of each code, for `components`. */
export const errorExamples = Object.fromEntries(
  (Object.keys(errorRules) as ErrorCode[]).filter(isOfOperation).map((code) => {
    const error = new ServiceError(code, errorRules[code].meaning);
    return [code, { value: toEnvelope(error, '2f1f6c9e-6f0c-4c3e-9a55-3c1a5a9f6f10') }] as const;
  }),
);

const detailSchema = z
  .strictObject({
    detail: z.array(
      z.strictObject({
        loc: z.array(z.union([z.string(), z.int()])),
        msg: z.string(),
        type: z.string(),
      }),
    ),
  })
  .meta({ id: 'Resonance2Error' });

/** The errors of Resonance-2: `type` has the code. */
export function detailResponse(codes: readonly ErrorCode[]): ZodOpenApiResponseObject {
  const example = {
    detail: [{ loc: ['query', 'regime'], msg: exampleMessage, type: 'invalid_field' }],
  };
  return {
    description: meanings(codes),
    headers: headers(),
    content: { 'application/json': { schema: detailSchema, example } },
  };
}

function isOfOperation(code: ErrorCode): boolean {
  return !ofNoOperation.includes(code);
}
