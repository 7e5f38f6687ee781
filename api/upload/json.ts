// JSON bodies with a strict shape and a limit that holds while they come.
import type { ParameterizedContext } from 'koa';
import type { z } from 'zod';
import { ServiceError } from '../../models/errors.ts';
import type { RequestState } from '../dependencies.ts';
import { requireModel } from './fields.ts';
import { bodyTooLarge } from './multipart.ts';

export interface JsonBody<S extends z.ZodType> {
  readonly schema: S;
  readonly maxBodyBytes: number;
  /** A body without a byte, or without a type, is taken for `{}` and for JSON. */
  readonly mayBeEmpty?: true;
}

/** @throws ServiceError unsupported_media_type, body_too_large, invalid_json, invalid_field, ... */
export async function readJson<S extends z.ZodType>(
  ctx: ParameterizedContext<RequestState>,
  { schema, maxBodyBytes, mayBeEmpty }: JsonBody<S>,
): Promise<z.output<S>> {
  const type = ctx.get('Content-Type');
  if (!(mayBeEmpty && type === '')) requireJson(type);
  const declared = Number(ctx.get('Content-Length') || 0);
  if (declared > maxBodyBytes) throw bodyTooLarge(maxBodyBytes, declared);
  const blocks: Buffer[] = [];
  let bytes = 0;
  for await (const block of ctx.req as AsyncIterable<Buffer>) {
    bytes += block.length;
    if (bytes > maxBodyBytes) throw bodyTooLarge(maxBodyBytes, `more than ${maxBodyBytes}`);
    blocks.push(block);
  }
  const given = mayBeEmpty && bytes === 0 ? {} : parse(Buffer.concat(blocks));
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  throw refusal(parsed.error.issues[0]!, given);
}

function requireJson(type: string): void {
  if (/^application\/json\s*(;|$)/i.test(type)) return;
  const message = `Content-Type must be application/json, got ${type.slice(0, 100) || 'none'}.`;
  throw new ServiceError('unsupported_media_type', message, { param: 'Content-Type' });
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
  refuseModel(issue, given);
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

/** A model that is not taken has codes of its own. @throws ServiceError model_retired, ... */
function refuseModel(issue: z.core.$ZodIssue, given: unknown): void {
  if (issue.code !== 'invalid_value' || issue.path.join() !== 'model') return;
  const { model } = given as { readonly model?: unknown };
  if (typeof model === 'string') requireModel(model, issue.values.map(String));
}
