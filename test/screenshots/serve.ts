// The pages alone, with answers of a fixture instead of a service; the key chooses the fixture.
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import Router from '@koa/router';
import Koa, { type Context, type Middleware } from 'koa';
import { pino } from 'pino';
import { consoleRoutes } from '../../api/console/routes.ts';
import type { BatchDependencies } from '../../api/batches/dependencies.ts';
import { errorEnvelope } from '../../api/http/middleware/error-envelope.ts';
import { referenceRoutes } from '../../api/reference/routes.ts';
import type { RequestState } from '../../api/http/request-state.ts';
import { emptyFixture, fullFixture, quietWav, type Answer } from './fixture.ts';

export const fullKey = 'svc_test_full';
export const emptyKey = 'svc_test_empty';

/** A file of this name finds the service busy once. */
const busyName = 'busy.wav';
const busySeconds = 1;

type Refuse = (status: number, message: string) => void;

const fixtures: Readonly<Record<string, readonly Answer[]>> = {
  [fullKey]: fullFixture,
  [emptyKey]: emptyFixture,
};

/** Whoever has another key is rejected as the service rejects keys. */
const answerFromFixture: Middleware<RequestState> = async (ctx, next) => {
  if (!/^\/(console\/data|v1)\//.test(ctx.path)) return next();
  const key = ctx.get('Authorization').replace('Bearer ', '');
  const known = fixtures[key];
  const error: Refuse = (status, message) => {
    ctx.status = status;
    ctx.body = { error: { message } };
  };
  if (!known) return error(401, 'The API key is not valid.');
  if (ctx.path.endsWith('/audio')) {
    ctx.type = 'audio/wav';
    ctx.body = quietWav;
    return;
  }
  if (ctx.path === '/v1/files') {
    receive(ctx, (await ctx.req.toArray()) as readonly Buffer[], error);
    return;
  }
  const found = known.find(({ path }) => path.test(ctx.url));
  if (!found) return error(404, 'There is no such recording.');
  if (ctx.path.endsWith('/events')) {
    ctx.type = 'text/event-stream';
    ctx.respond = false;
    ctx.res.writeHead(200, { 'Content-Type': 'text/event-stream' });
    ctx.res.write(`data:${JSON.stringify(found.body)}\n\n`);
    return;
  }
  ctx.body = found.body;
};

/** Keys of uploads that have been told to come again. */
const toldToWait = new Set<string>();

/** One kind of file is not accepted, so that its error can be seen. */
function receive(ctx: Context, parts: readonly Buffer[], error: Refuse): void {
  const name = /filename="([^"]*)"/.exec(Buffer.concat(parts).toString('latin1'))?.[1] ?? '';
  const idempotencyKey = ctx.get('Idempotency-Key');
  if (name.endsWith('.txt')) {
    error(400, 'The file is not WAV, FLAC, MP3, MP4, Ogg or WebM/Matroska audio.');
  } else if (name === busyName && !toldToWait.has(idempotencyKey)) {
    toldToWait.add(idempotencyKey);
    ctx.set('Retry-After', String(busySeconds));
    error(429, 'The service is busy.');
  } else ctx.body = { id: `file-${name}` };
}

export async function servePages(): Promise<{ base: string; close: () => void }> {
  const router = new Router<RequestState>();
  router.use((ctx, next) => {
    ctx.state.connection = { host: 'speech.example.com', secure: true, address: '127.0.0.1' };
    return next();
  });
  consoleRoutes(router, {} as BatchDependencies);
  referenceRoutes(router, { publicUrl: null });
  const app = new Koa<RequestState>()
    .use(errorEnvelope(pino({ level: 'silent' })))
    .use(answerFromFixture)
    .use(router.routes());
  const server = app.listen(0, '127.0.0.1');
  // Idle connections are kept: one closed as it is used again would reset a slow test's request.
  server.keepAliveTimeout = 0;
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const close = (): void => {
    server.close();
    server.closeAllConnections();
  };
  return { base: `http://127.0.0.1:${port}`, close };
}
