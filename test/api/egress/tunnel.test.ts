// Calls through a proxy: every silence of proxy and target ends at the deadline, socket included.
import { Resolver } from 'node:dns/promises';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer as createHttpServer } from 'node:http';
import type { IncomingMessage, RequestListener } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { mock } from 'node:test';
import { setDefaultCACertificates } from 'node:tls';
import { inspect } from 'node:util';
import test from 'ava';
import { fetchSource } from '../../../api/sources/fetch-source.ts';
import { sendWebhook } from '../../../api/webhooks/send.ts';
import { makeCertificates } from '../../support/certificates.ts';
import type { Cleanup } from '../../support/cleanup.ts';
import { fakeClock } from '../../support/fake-clock.ts';
import { withDirectory } from '../../support/speech.ts';

/** Its name has a public address, and only the proxies of these tests are connected to. */
const target = new URL('https://receiver.example/call.wav');
const stages = ['CONNECT', 'TLS', 'request'] as const;
type Stage = (typeof stages)[number];

interface SilentProxy {
  readonly proxy: string;
  /** The caller waits for the answer that never comes. */
  readonly reached: Promise<void>;
  /** The caller's connection has ended. */
  readonly closed: Promise<void>;
}

/** A proxy to a target, of whom one is silent from a stage on. */
async function silentProxy(t: Cleanup, silentAt: Stage): Promise<SilentProxy> {
  const reached = Promise.withResolvers<void>();
  const closed = Promise.withResolvers<void>();
  const port = silentAt === 'request' ? await serveTarget(t, () => reached.resolve()) : 0;
  const server = createServer((socket) => {
    socket.once('close', () => closed.resolve());
    socket.once('data', () => {
      if (silentAt === 'CONNECT') return reached.resolve();
      if (silentAt === 'request') return join(socket, port);
      socket.once('data', () => reached.resolve());
      socket.write(established);
    });
  });
  const proxy = `http://127.0.0.1:${await listen(t, server)}`;
  return { proxy, reached: reached.promise, closed: closed.promise };
}

const established = 'HTTP/1.1 200 Connection established\r\n\r\n';

function join(socket: Duplex, port: number): void {
  const behind = connect(port, '127.0.0.1').on('error', () => {});
  behind.once('close', () => socket.destroy());
  socket.write(established);
  socket
    .on('error', () => {})
    .pipe(behind)
    .pipe(socket);
}

async function listen(t: Cleanup, server: Server): Promise<number> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => sockets.add(socket.on('error', () => {})));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

const { authority, server: certificate } = makeCertificates(
  { teardown: (step) => test.after.always(() => void step()) },
  ['receiver.example', 'localhost'],
);

function serveTarget(t: Cleanup, serve: RequestListener): Promise<number> {
  return listen(t, createHttpsServer({ cert: certificate.cert, key: certificate.key }, serve));
}

test.before(() => {
  setDefaultCACertificates([authority]);
  mock.method(Resolver.prototype, 'resolve4', async () => ['93.184.215.14']);
  mock.method(Resolver.prototype, 'resolve6', async () => []);
});

async function post(proxy: string): Promise<number> {
  const event = { type: 'webhook.test', timestamp: new Date().toISOString(), data: {} };
  const secrets = [`whsec_${Buffer.alloc(24).toString('base64')}`];
  const message = { id: 'msg_1', url: target, secrets, event };
  return (await sendWebhook(message, { networks: [], proxy })).status;
}

/** @returns the text of the source */
function fetched(proxy: string, signal: AbortSignal, idleMs = 60_000): Promise<string> {
  return withDirectory(async (folder) => {
    const path = `${folder}/source`;
    const limits = { idleMs, totalMs: 600_000, maxFruitless: 1, firstDelayMs: 1 };
    const progress = { maxBytes: 1e6, onProgress: () => {} };
    await fetchSource(
      { url: target, credentials: [], path, signal, ...progress },
      { networks: [], proxy },
      limits,
    );
    return readFile(path, 'utf8');
  });
}

for (const stage of stages) {
  test.serial(`a webhook ends at its deadline when nothing follows ${stage}`, async (t) => {
    const { proxy, reached, closed } = await silentProxy(t, stage);
    const advance = fakeClock(t);
    const sent = t.throwsAsync(post(proxy), { message: /no response within 15 seconds/ });
    await reached;
    advance(15_000);
    await sent;
    await closed;
  });

  test.serial(`a cancelled fetch ends at once when nothing follows ${stage}`, async (t) => {
    const { proxy, reached, closed } = await silentProxy(t, stage);
    const cancel = new AbortController();
    const failed = t.throwsAsync(fetched(proxy, cancel.signal), { message: 'cancelled' });
    await reached;
    cancel.abort(new Error('cancelled'));
    await failed;
    await closed;
  });

  test.serial(`a fetch is given up when nothing follows ${stage} for too long`, async (t) => {
    const { proxy, closed } = await silentProxy(t, stage);
    const { signal } = new AbortController();
    await t.throwsAsync(fetched(proxy, signal, 50), { message: /sent nothing/ });
    await closed;
  });
}

test.serial('what a proxy of http or of https lets through arrives', async (t) => {
  const port = await serveTarget(t, (_, response) => response.end('RIFF'));
  const heads: string[] = [];
  const serveConnect = (server: Server): Promise<number> => {
    server.on('connect', ({ url, headers }: IncomingMessage, socket: Duplex) => {
      heads.push(`${url} ${headers.host} ${headers['proxy-authorization']}`);
      join(socket, port);
    });
    return listen(t, server);
  };
  const inClear = await serveConnect(createHttpServer());
  const { cert, key } = certificate;
  const encrypted = await serveConnect(createHttpsServer({ cert, key }) as unknown as Server);
  const { signal } = new AbortController();
  for (const [proxy, user] of [
    [`http://127.0.0.1:${inClear}`, undefined],
    [`http://svc:p%40ss%3A@127.0.0.1:${inClear}`, 'Basic c3ZjOnBAc3M6'],
    [`https://svc@localhost:${encrypted}`, 'Basic c3ZjOg=='],
  ] as const) {
    t.is(await post(proxy), 200);
    t.is(await fetched(proxy, signal), 'RIFF');
    const head = `receiver.example:443 receiver.example:443 ${user}`;
    t.deepEqual(heads.splice(0), [head, head]);
  }
});

test.serial('a proxy that refuses is the reason, without its password', async (t) => {
  const server = createHttpServer();
  server.on('connect', (_, socket) => socket.end('HTTP/1.1 407 Secret\r\n\r\n'));
  const proxy = `http://svc:secret@127.0.0.1:${await listen(t, server)}`;
  const refused = await t.throwsAsync(fetched(proxy, new AbortController().signal));
  t.is(refused.message, '`source` could not be fetched: the proxy answered 407.');
  t.notRegex(inspect(refused), /secret/);
  const unsent = await t.throwsAsync(post(proxy), { message: /could not be reached/ });
  t.notRegex(inspect(unsent), /secret/);
});
