// JSON bodies with a strict shape and a size limit that is enforced while they arrive.
import type { ParameterizedContext } from 'koa';
import type { z } from 'zod';
import type { FairGate } from '../../models/fairness/fair-gate.ts';
import { ServiceError } from '../../models/contract/errors.ts';
import { receiveBody } from './body.ts';
import { createPages } from './pages.ts';
import { checkJson, parseJson } from './parse-json.ts';
import { acquireBodySlot } from './body-slots.ts';
import type { RequestState } from './request-state.ts';
import type { HttpDependencies } from './dependencies.ts';

export interface JsonBody<S extends z.ZodType> {
  readonly schema: S;
  readonly maxBodyBytes: number;
  /** An empty body, with or without a type, is taken for `{}`. */
  readonly mayBeEmpty?: true;
}

type Context = ParameterizedContext<RequestState>;

/** @throws ServiceError unsupported_media_type, body_too_large, invalid_json, invalid_field, ... */
export async function readJson<S extends z.ZodType>(
  dependencies: Pick<HttpDependencies, 'bodies' | 'uploadDeadlines'>,
  ctx: Context,
  { schema, maxBodyBytes, mayBeEmpty }: JsonBody<S>,
): Promise<z.output<S>> {
  if (!mayBeEmpty) requireJsonType(ctx);
  const { uploadDeadlines: deadlines, bodies } = dependencies;
  const whole = { gate: bodies.json, deadlines, maxBytes: maxBodyBytes };
  const given = await readWhole(ctx, whole, (blocks) => {
    if (mayBeEmpty && blocks.length === 0) return {};
    // Some clients name a form's type for every POST, so that it counts once there is a body.
    if (ctx.get('Content-Type') !== '') requireJsonType(ctx);
    return parseJson(Buffer.concat(blocks));
  });
  return checkJson(given, schema);
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
  readonly deadlines: HttpDependencies['uploadDeadlines'];
  readonly maxBytes: number;
}

/**
 * Reads a body. Its slot is held while the body is in use, which bounds the bodies in memory.
 * @throws ServiceError body_too_large, upload_timeout, rate_limited, ...
 */
export async function readWhole<T>(
  ctx: Context,
  { gate, deadlines, maxBytes }: WholeBody,
  use: (blocks: readonly Buffer[]) => T | Promise<T>,
): Promise<T> {
  const slot = acquireBodySlot(gate, ctx.state.account.organizationId);
  const pages = createPages();
  try {
    await new Promise<void>((resolve, reject) => {
      const options = { request: ctx.req, response: ctx.res, maxBytes, deadlines, slot, broken };
      receiveBody(options, {
        write: (block) => {
          pages.add(block);
          return null;
        },
        end: resolve,
        fail: reject,
      });
    });
    slot.pin();
    return await use(pages.take());
  } finally {
    slot.release();
  }
}

function broken(reason: string): ServiceError {
  return new ServiceError('invalid_json', `The JSON body cannot be read: ${reason}.`);
}
