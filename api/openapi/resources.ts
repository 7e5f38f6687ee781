// Parameters, headers and error codes of operations on stored resources: files and batches.
import { z } from 'zod';
import type { ErrorCode } from '../../models/contract/errors.ts';
import { idempotencyHeader, requestIdHeader } from './requests.ts';
import { keyCodes } from './responses.ts';

export const keyedHeader = { header: idempotencyHeader };
export const inPath = { path: z.object({ id: z.string() }), header: requestIdHeader };

export const listCodes: readonly ErrorCode[] = [...keyCodes, 'invalid_field', 'unknown_field'];
export const namedCodes: readonly ErrorCode[] = [...keyCodes, 'not_found'];

const replay = z.literal('true').optional().meta({
  description: 'The answer is about what an earlier request with this key has created.',
});
export const replayHeader = { 'Idempotency-Replayed': replay };
