// Lines of the log are short, whatever path was asked for.
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import test from 'ava';
import Koa from 'koa';
import { pino } from 'pino';
import { accessLog } from '../../../api/http/middleware/access-log.ts';
import { errorEnvelope } from '../../../api/http/middleware/error-envelope.ts';
import type { RequestState } from '../../../api/http/request-state.ts';
import { createHttpServer } from '../../../api/http/server.ts';

test('a long path is cut in the log', async (t) => {
  const lines: string[] = [];
  const logger = pino({}, { write: (line) => void lines.push(line) });
  const app = new Koa<RequestState>();
  app.use(accessLog(logger));
  app.use(errorEnvelope(logger));
  app.use((ctx) => {
    if (ctx.path.startsWith('/broken')) throw new Error('broken');
  });
  const http = createHttpServer(app);
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  t.teardown(() => {
    http.closeAllConnections();
    http.close();
  });
  const { port } = http.address() as AddressInfo;
  for (const [path, status] of [
    ['/nothing', 404],
    ['/broken', 500],
  ] as const) {
    const answer = await fetch(`http://127.0.0.1:${port}${path}${'a'.repeat(15_000)}`);
    t.is(answer.status, status);
  }
  const paths = lines.map((line) => (JSON.parse(line) as { path: string }).path);
  t.deepEqual(
    paths.map((path) => path.length),
    [256, 256, 256],
  );
  t.true(paths[0]!.startsWith('/nothingaaa'));
});
