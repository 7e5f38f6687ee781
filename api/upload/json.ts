// JSON bodies with a strict shape and a limit that holds while they come.
import type { ParameterizedContext } from 'koa';
import type { z } from 'zod';
import { ServiceError } from '../../models/errors.ts';
import type { RequestState } from '../dependencies.ts';
import { bodyTooLarge } from './multipart.ts';

export interface JsonBody<S extends z.ZodType> {
  readonly schema: S;
  readonly maxBodyBytes: number;
}

/** @throws ServiceError unsupported_media_type, body_too_large, invalid_json, invalid_field, ... */
export async function readJson<S extends z.ZodType>(
  ctx: ParameterizedContext<RequestState>,
  { schema, maxBodyBytes }: JsonBody<S>,
): Promise<z.output<S>> {
  if (!/^application\/json\s*(;|$)/i.test(ctx.get('Content-Type'))) {
    const got = ctx.get('Content-Type').slice(0, 100) || 'none';
    const message = `Content-Type must be application/json, got ${got}.`;
    throw new ServiceError('unsupported_media_type', message, { param: 'Content-Type' });
  }
  const declared = Number(ctx.get('Content-Length') || 0);
  if (declared > maxBodyBytes) throw bodyTooLarge(maxBodyBytes, declared);
  const blocks: Buffer[] = [];
  let bytes = 0;
  for await (const block of ctx.req as AsyncIterable<Buffer>) {
    bytes += block.length;
    if (bytes > maxBodyBytes) throw bodyTooLarge(maxBodyBytes, `more than ${maxBodyBytes}`);
    blocks.push(block);
  }
  const given = parse(Buffer.concat(blocks));
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  throw refusal(parsed.error.issues[0]!, given);
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    throw new ServiceError('invalid_json', 'The body is not JSON in UTF-8.');
  }
}

function refusal(issue: z.core.$ZodIssue, given: unknown): ServiceError {
  const param = issue.path.join('.') || null;
  if (issue.code === 'unrecognized_keys') {
    const [name = ''] = issue.keys;
    const message = `\`${name.slice(0, 64)}\` is not a field of this request.`;
    return new ServiceError('unknown_field', message, { param: name.slice(0, 64) });
  }
  const [name] = issue.path;
  const absent = issue.path.length === 1 && !Object.hasOwn(given as object, name!);
  const message = `${param ? `\`${param}\`: ` : ''}${issue.message}.`;
  return new ServiceError(absent ? 'missing_field' : 'invalid_field', message, {
    param: param ?? undefined,
  });
}
