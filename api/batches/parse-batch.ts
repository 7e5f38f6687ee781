// Parses and validates the body of a new batch.
import type { RequestedItem } from '../../models/contract/batch-item.ts';
import { ServiceError } from '../../models/contract/errors.ts';
import { isTooComplex } from '../http/json-complexity.ts';
import { checkJson, parseJson } from '../http/parse-json.ts';
import { batchFingerprints, type BatchFingerprints } from './batch-fingerprint.ts';
import { batchRequestSchema, maxBatchItems, type BatchRequest } from './schemas.ts';

export interface ParsedBatch extends BatchFingerprints {
  /** Everything but the items. */
  readonly head: Omit<BatchRequest, 'items'>;
  readonly items: readonly RequestedItem[];
}

/** More than ten times those of the largest batch. */
const maxElements = 2 ** 20;

/** @throws ServiceError invalid_json, unknown_field, missing_field, invalid_field, model_... */
export function parseBatch(body: Uint8Array): ParsedBatch {
  if (isTooComplex(body, maxElements)) throw tooComplex();
  const given = parseJson(body);
  const { items: some } = (given ?? {}) as { readonly items?: unknown };
  // Checked first, because the schema would validate a million items before counting them.
  if (Array.isArray(some) && some.length > maxBatchItems) {
    const message = `\`items\` takes at most ${maxBatchItems} items, got ${some.length}.`;
    throw new ServiceError('invalid_field', message, { param: 'items' });
  }
  const request = checkJson(given, batchRequestSchema);
  requireKeptNames(given as BatchRequest);
  const { items: requestedItems, ...head } = request;
  const seen = new Set<string>();
  for (const [i, { custom_id: customId }] of requestedItems.entries()) {
    if (seen.has(customId)) {
      const param = `items.${i}.custom_id`;
      throw new ServiceError(
        'invalid_field',
        `\`${param}\` "${customId}" is used by an earlier item.`,
        { param },
      );
    }
    seen.add(customId);
  }
  const items = requestedItems.map(({ custom_id: customId, metadata, ...named }, i) => {
    return { customId, recording: recordingOf(named, `items.${i}`), metadata };
  });
  return { head, items, ...batchFingerprints(request) };
}

/** Validation would leave out a pair of this name silently. */
const unkeptName = '__proto__';

/** @throws ServiceError invalid_field */
function requireKeptNames({ metadata, items }: BatchRequest): void {
  const check = (pairs: object | undefined, path: string): void => {
    if (!pairs || !Object.hasOwn(pairs, unkeptName)) return;
    const param = `${path}.${unkeptName}`;
    const message = `\`${path}\` cannot have a pair named \`${unkeptName}\`.`;
    throw new ServiceError('invalid_field', message, { param });
  };
  check(metadata, 'metadata');
  for (const [i, item] of items.entries()) check(item.metadata, `items.${i}.metadata`);
}

/** The error for a body that would need too much memory. */
export function tooComplex(cause?: Error): ServiceError {
  const text = 'The body is too complex to be parsed as a batch.';
  return new ServiceError('invalid_json', text, { cause });
}

type GivenRecording = Pick<BatchRequest['items'][number], 'file_id' | 'source'>;

function recordingOf(
  { file_id: fileId, source }: GivenRecording,
  path: string,
): RequestedItem['recording'] {
  if (fileId !== undefined && source === undefined) return { fileId };
  if (fileId === undefined && source !== undefined) return { sourceUrl: source.url };
  const param = `${path}.file_id`;
  const message = `\`${path}\` must have either \`file_id\` or \`source\`.`;
  const code = fileId === undefined ? 'missing_field' : 'invalid_field';
  throw new ServiceError(code, message, { param });
}
