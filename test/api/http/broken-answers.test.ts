// Answers that are written while they are sent, and cannot be written to their end.
import { once } from 'node:events';
import { createServer, get } from 'node:http';
import type { AddressInfo } from 'node:net';
import test from 'ava';
import Koa from 'koa';
import type { Logger } from 'pino';
import { streamInPace } from '../../../api/http/answer-pace.ts';
import { errorEnvelope, logLateError } from '../../../api/http/middleware/error-envelope.ts';
import type { RequestState } from '../../../api/http/request-state.ts';
import type { Cleanup } from '../../support/cleanup.ts';

/** A server that answers with these pieces. @returns its address, and the lines that it logs */
async function serve(t: Cleanup, pieces: () => AsyncIterable<string>) {
  const lines: string[] = [];
  const logged = new Set<() => void>();
  const at = (level: string) => (_fields: object, message?: string) => {
    lines.push(`${level}: ${message ?? 'no answer'}`);
    for (const notify of logged) notify();
  };
  const levels = { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
  const logger = levels as unknown as Logger;
  const app = new Koa<RequestState>();
  app.on('error', logLateError(logger));
  app.use(errorEnvelope(logger));
  app.use(async (ctx) => {
    const body = await streamInPace('org', pieces());
    ctx.type = 'application/jsonl';
    ctx.body = body;
  });
  const handle = app.callback();
  const server = createServer((request, response) => void handle(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const line = (): Promise<void> => new Promise((resolve) => void logged.add(resolve));
  return { url: `http://127.0.0.1:${port}/`, lines, line };
}

test('what fails before the first piece is an error answer', async (t) => {
  // eslint-disable-next-line require-yield
  const { url, lines } = await serve(t, async function* () {
    throw new Error('the object is missing');
  });
  const response = await fetch(url);
  t.is(response.status, 500);
  t.is(((await response.json()) as { error: { code: string } }).error.code, 'internal_error');
  t.deepEqual(lines, ['error: no answer']);
});

test('what fails later breaks the answer off, and is logged', async (t) => {
  const { url, lines, line } = await serve(t, async function* () {
    yield '{}\n';
    throw new Error('the object is missing');
  });
  const told = line();
  await t.throwsAsync(fetch(url).then((response) => response.text()));
  await told;
  t.deepEqual(lines, ['error: an answer was broken off']);
});

test('a client that leaves is no error, and ends what is written for it', async (t) => {
  const ended = Promise.withResolvers<void>();
  const { url, lines, line } = await serve(t, async function* () {
    try {
      for (;;) yield 'x'.repeat(65_536);
    } finally {
      ended.resolve();
    }
  });
  const told = line();
  const request = get(url);
  request.on('error', () => {});
  await once(request, 'response');
  request.destroy();
  await ended.promise;
  await told;
  t.deepEqual(lines, ['debug: an answer was broken off']);
});
