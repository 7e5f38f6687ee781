// POST /v1/audio/sessions and /v1/audio/stream-sessions, POST /v1/client-token.
import { spectraModel } from '../../models/contract/served-models.ts';
import type Router from '@koa/router';
import type { Middleware, ParameterizedContext } from 'koa';
import { newSecret } from '../../db/secrets.ts';
import { createCredential } from '../../db/stream-credentials.ts';
import { ServiceError } from '../../models/contract/errors.ts';
import { authenticate } from '../http/middleware/authenticate.ts';
import { requireAllowance } from '../http/middleware/require-allowance.ts';
import { serverOnly } from '../http/middleware/server-only.ts';
import { toServiceError } from '../http/errors.ts';
import { readJson } from '../http/json.ts';
import { streamUrl } from '../http/public-address.ts';
import {
  clientTokenRequestSchema,
  sessionRequestSchema,
  streamSessionRequestSchema,
} from './schemas.ts';
import { openDirectStream } from './direct-streams.ts';
import type { RequestState } from '../http/request-state.ts';
import { streamPaths, subprotocols } from '../../models/contract/streams.ts';
import type { HttpDependencies } from '../http/dependencies.ts';
import type { PreparedSessions } from './prepared-sessions.ts';
import { setUpUnconfirmed } from './session-workflows.ts';

export interface SessionDependencies extends HttpDependencies {
  readonly sessions: PreparedSessions;
  /** Whether a prepared session may open streams. */
  readonly directStreaming: boolean;
  /** Base address for clients; null takes the one of the request. */
  readonly publicUrl: string | null;
}

const maxBodyBytes = 4_096;
const clientTokenLifetimeSeconds = 60;
const clientTokenBytes = 32;

export function sessionRoutes(
  router: Router<RequestState>,
  dependencies: SessionDependencies,
): void {
  const account = authenticate(dependencies);
  router.post('/v1/audio/sessions', account, serverOnly, prepare(dependencies));
  router.post('/v1/audio/stream-sessions', account, serverOnly, openStream(dependencies));
  router.post('/v1/client-token', account, requireAllowance, issueClientToken(dependencies));
}

function prepare(dependencies: SessionDependencies): Middleware<RequestState> {
  return async (ctx) => {
    const { id } = await readJson(dependencies, ctx, {
      schema: sessionRequestSchema,
      maxBodyBytes,
    });
    const { sessions, throttle } = dependencies;
    const { account } = ctx.state;
    const prepared = await throttle.runSetUp(account.organizationId, () =>
      confirmed(() => sessions.prepare(account, id)),
    );
    const { session, token, requestIds } = prepared;
    ctx.body = {
      object: 'speech.session',
      model: spectraModel,
      token,
      expires_at_ms: session.expiresAtMs,
      request_ids: requestIds,
      capacity_seconds: session.capacitySeconds,
    };
  };
}

function openStream(dependencies: SessionDependencies): Middleware<RequestState> {
  const { db, sessions, directStreaming, publicUrl } = dependencies;
  return async (ctx) => {
    const token = requireHeader(ctx, 'X-Svc-Session');
    const requestId = requireHeader(ctx, 'X-Request-ID');
    const { task } = await readJson(dependencies, ctx, {
      schema: streamSessionRequestSchema,
      maxBodyBytes,
    });
    const { account } = ctx.state;
    if (!directStreaming) {
      const message = 'Direct streaming is disabled here; use an ordinary stream.';
      throw new ServiceError('direct_streaming_unavailable', message);
    }
    const { session, ticket, maxAudioSeconds } = await confirmed(async () => {
      const claimed = await sessions.claim(account, token, requestId);
      const opened = await openDirectStream(db, { account, requestId, task, ...claimed });
      return { ...claimed, ...opened };
    });
    ctx.body = {
      object: 'speech.stream_session',
      model: spectraModel,
      task,
      request_id: requestId,
      url: streamUrl(ctx.state.connection, publicUrl, streamPaths.spectra),
      protocol: subprotocols.spectra,
      ticket,
      expires_at_ms: session.expiresAtMs,
      max_audio_seconds: maxAudioSeconds,
    };
  };
}

/**
 * Whether a set-up was committed is unknown when the database fails in it, and its id cannot be
 * sent again.
 * @throws ServiceError setup_unconfirmed
 */
async function confirmed<T>(setUp: () => Promise<T>): Promise<T> {
  return setUp().catch((error: unknown) => {
    throw toServiceError(error).code === 'not_ready' ? setUpUnconfirmed(error) : error;
  });
}

function issueClientToken(dependencies: SessionDependencies): Middleware<RequestState> {
  const { db, publicUrl } = dependencies;
  const body = { schema: clientTokenRequestSchema, maxBodyBytes, mayBeEmpty: true } as const;
  return async (ctx) => {
    await readJson(dependencies, ctx, body);
    const { organizationId, keyId } = ctx.state.account;
    const token = newSecret(clientTokenBytes);
    const kind = 'client_token';
    const opens = { lifetimeSeconds: clientTokenLifetimeSeconds };
    await createCredential(db, { kind, secret: token, organizationId, keyId, opens });
    ctx.body = {
      token,
      url: streamUrl(ctx.state.connection, publicUrl, streamPaths.lite),
      expires_in: clientTokenLifetimeSeconds,
      single_use: true,
      protocol: subprotocols.lite,
    };
  };
}

function requireHeader(ctx: ParameterizedContext, name: string): string {
  const value = ctx.get(name);
  if (value !== '') return value;
  throw new ServiceError('missing_field', `The header ${name} is required.`, { param: name });
}
