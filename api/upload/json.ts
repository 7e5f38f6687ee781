// JSON bodies with a strict shape and a limit that holds while they come.
import type { ParameterizedContext } from 'koa';
import type { z } from 'zod';
import type { FairGate } from '../../models/fairness/fair-gate.ts';
import { ServiceError } from '../../models/errors.ts';
import type { AppDependencies, RequestState } from '../dependencies.ts';
import { receiveBody } from './body.ts';
import { requireModel } from './fields.ts';
import { takePlace } from './places.ts';

export interface JsonBody<S extends z.ZodType> {
  readonly schema: S;
  readonly maxBodyBytes: number;
  /** A body without a byte, or without a type, is taken for `{}` and for JSON. */
  readonly mayBeEmpty?: true;
}

type Context = ParameterizedContext<RequestState>;

/** @throws ServiceError unsupported_media_type, body_too_large, invalid_json, invalid_field, ... */
export async function readJson<S extends z.ZodType>(
  dependencies: Pick<AppDependencies, 'bodies' | 'uploadDeadlines'>,
  ctx: Context,
  { schema, maxBodyBytes, mayBeEmpty }: JsonBody<S>,
): Promise<z.output<S>> {
  if (!mayBeEmpty || ctx.get('Content-Type') !== '') requireJsonType(ctx);
  const { uploadDeadlines: deadlines, bodies } = dependencies;
  const body = await readWhole(ctx, { gate: bodies.json, deadlines, maxBytes: maxBodyBytes });
  return parseJson(mayBeEmpty && body.length === 0 ? Buffer.from('{}') : body, schema);
}

/** @throws ServiceError unsupported_media_type */
export function requireJsonType(ctx: Pick<Context, 'get'>): void {
  if (/^application\/json\s*(;|$)/i.test(ctx.get('Content-Type'))) return;
  const got = ctx.get('Content-Type').slice(0, 100) || 'none';
  const message = `Content-Type must be application/json, got ${got}.`;
  throw new ServiceError('unsupported_media_type', message, { param: 'Content-Type' });
}

export interface WholeBody {
  readonly gate: FairGate;
  readonly deadlines: AppDependencies['uploadDeadlines'];
  readonly maxBytes: number;
}

/** The bytes of a body. @throws ServiceError body_too_large, upload_timeout, rate_limited, ... */
export async function readWhole(
  ctx: Context,
  { gate, deadlines, maxBytes }: WholeBody,
): Promise<Buffer> {
  const place = takePlace(gate, ctx.state.account.organizationId);
  const blocks: Buffer[] = [];
  try {
    await new Promise<void>((resolve, reject) => {
      const options = { request: ctx.req, response: ctx.res, maxBytes, deadlines, place, broken };
      receiveBody(options, {
        write: (block) => {
          blocks.push(block);
          return null;
        },
        end: resolve,
        fail: reject,
      });
    });
  } finally {
    place.leave();
  }
  return Buffer.concat(blocks);
}

/** @throws ServiceError invalid_json, unknown_field, missing_field, invalid_field */
export function parseJson<S extends z.ZodType>(body: Uint8Array, schema: S): z.output<S> {
  const given = parse(body);
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  throw refusal(parsed.error.issues[0]!, given);
}

function parse(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    throw new ServiceError('invalid_json', 'The body is not JSON in UTF-8.');
  }
}

function broken(reason: string): ServiceError {
  return new ServiceError('invalid_json', `The JSON body cannot be read: ${reason}.`);
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
