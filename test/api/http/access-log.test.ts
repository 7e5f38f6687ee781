// Lines of the log are short, whatever path was asked for, and say how a request ended.
import { EventEmitter, once } from 'node:events';
import { connect, type AddressInfo } from 'node:net';
import test from 'ava';
import Koa, { type Context } from 'koa';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import type { Cleanup } from '../../support/cleanup.ts';
import { accessLog } from '../../../api/http/middleware/access-log.ts';
import { errorEnvelope } from '../../../api/http/middleware/error-envelope.ts';
import { httpMetrics } from '../../../api/http/metrics.ts';
import type { RequestState } from '../../../api/http/request-state.ts';
import { createHttpServer } from '../../../api/http/server.ts';

interface Line {
  readonly path: string;
  readonly status?: number;
}

/** A server with these middlewares around `answer`. */
async function listen(t: Cleanup, answer: (ctx: Context) => unknown) {
  const log = new EventEmitter<{ line: [Line] }>();
  const logger = pino({}, { write: (line) => void log.emit('line', JSON.parse(line) as Line) });
  const registry = new Registry();
  const app = new Koa<RequestState>();
  app.use(httpMetrics(registry));
  app.use(accessLog(logger));
  app.use(errorEnvelope(logger));
  app.use((ctx) => answer(ctx));
  const http = createHttpServer(app);
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  t.teardown(() => {
    http.closeAllConnections();
    http.close();
  });
  return { log, registry, port: (http.address() as AddressInfo).port };
}

/** Resolves with so many lines. */
async function lines(log: EventEmitter<{ line: [Line] }>, count: number): Promise<Line[]> {
  const written: Line[] = [];
  const enough = Promise.withResolvers<Line[]>();
  log.on('line', (line) => {
    written.push(line);
    if (written.length === count) enough.resolve(written);
  });
  return enough.promise;
}

test('a long path is cut in the log', async (t) => {
  const { log, port } = await listen(t, (ctx) => {
    if (ctx.path.startsWith('/broken')) throw new Error('broken');
  });
  const written = lines(log, 3);
  for (const [path, status] of [
    ['/nothing', 404],
    ['/broken', 500],
  ] as const) {
    const answer = await fetch(`http://127.0.0.1:${port}${path}${'a'.repeat(15_000)}`);
    t.is(answer.status, status);
  }
  const paths = (await written).map(({ path }) => path);
  t.deepEqual(
    paths.map((path) => path.length),
    [256, 256, 256],
  );
  t.true(paths[0]!.startsWith('/nothingaaa'));
});

test('a client that left before its answer is 499 in the log and the metrics', async (t) => {
  const called = Promise.withResolvers<void>();
  const { log, registry, port } = await listen(t, async (ctx) => {
    called.resolve();
    await once(ctx.res, 'close');
    ctx.body = 'late';
  });
  const written = lines(log, 1);
  const counted = new Promise<void>((resolve) => log.once('line', () => setImmediate(resolve)));
  const socket = connect(port, '127.0.0.1');
  socket.write('GET /slow HTTP/1.1\r\nHost: x\r\n\r\n');
  await called.promise;
  socket.destroy();
  const [line] = await written;
  t.is(line!.status, 499);
  await counted;
  t.regex(await registry.metrics(), /_count\{[^}]*http_response_status_code="499"[^}]*\} 1/);
});
