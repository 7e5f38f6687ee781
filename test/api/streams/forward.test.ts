// Upgrades that the API forwards: which of them reach the stream worker, and what waits for a slot.
import { once } from 'node:events';
import { connect, createServer, type AddressInfo } from 'node:net';
import test from 'ava';
import Koa from 'koa';
import { pino } from 'pino';
import { createCredentialFailures } from '../../../api/http/credential-failures.ts';
import { createRequestThrottle } from '../../../api/http/request-throttle.ts';
import type { RequestState } from '../../../api/http/request-state.ts';
import { createHttpServer } from '../../../api/http/server.ts';
import { forwardUpgrades } from '../../../api/streams/forward.ts';
import type { Cleanup } from '../../support/cleanup.ts';
import { sendRaw } from '../../support/raw-http.ts';
import { until } from '../../support/until.ts';

/** No failure expires while a test runs, however slow its machine is. */
const spentLimits = { burst: 3, perMinute: 0.01 };

/**
 * Upgrades go to a worker that answers 401; a secret is valid if it contains `org_1`.
 * @param answerTimeoutMs set for a worker that never answers
 */
async function gateway(t: Cleanup, answerTimeoutMs?: number) {
  let reached = 0;
  let left = 0;
  let lookUps = 0;
  const received: string[] = [];
  let held: Promise<void> | null = null;
  const worker = createServer((socket) => {
    socket.on('error', () => {});
    socket.on('close', () => (left += 1));
    reached += 1;
    socket.on('data', (data) => void received.push(data.toString('latin1')));
    if (answerTimeoutMs !== undefined) return;
    socket.once('data', () => socket.end('HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\n\r\n'));
  }).listen(0, '127.0.0.1');
  const app = new Koa<RequestState>();
  const server = createHttpServer(app).listen(0, '127.0.0.1');
  await Promise.all([once(worker, 'listening'), once(server, 'listening')]);
  const portOf = (of: { address(): unknown }): number => (of.address() as AddressInfo).port;
  const slots: string[] = [];
  const answers: string[] = [];
  const logged: string[] = [];
  let slot: Promise<void> | null = null;
  const upgrades = async (organizationId: string): Promise<() => void> => {
    slots.push(organizationId);
    await slot;
    return () => {};
  };
  const streams = forwardUpgrades(server, {
    address: { host: '127.0.0.1', port: portOf(worker) },
    credentialFailures: createCredentialFailures(spentLimits),
    trustedProxies: [],
    throttle: createRequestThrottle({ requests: upgrades, upgrades, setUps: upgrades }),
    findOrganization: async ({ text }) => {
      lookUps += 1;
      await held;
      return text.includes('org_1') ? 'org_1' : null;
    },
    logger: pino({ level: 'warn' }, { write: (line) => void logged.push(line) }),
    answered: ({ route, status }) => void answers.push(`${route} ${status}`),
    ...(answerTimeoutMs !== undefined && { answerTimeoutMs }),
  });
  t.teardown(() => {
    streams.close();
    server.close();
    worker.close();
  });
  const base = `http://127.0.0.1:${portOf(server)}`;
  return {
    upgrade: (path: string, protocols: string, more = ''): ReturnType<typeof sendRaw> =>
      sendRaw(base, [
        `GET ${path} HTTP/1.1\r\nHost: test\r\nSec-WebSocket-Protocol: ${protocols}\r\n` +
          `${more}Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n`,
      ]),
    reached: () => reached,
    left: () => left,
    lookUps: () => lookUps,
    slots,
    answers,
    logged,
    loseWorker: () => void worker.close(),
    holdUntil: (promise: Promise<void>) => void (held = promise),
    holdSlotsUntil: (promise: Promise<void>) => void (slot = promise),
    port: portOf(server),
    received,
  };
}

const lite = '/v1/audio/transcriptions/stream';
const spectra = '/v1/audio/spectra-2/stream';

test('upgrades with bad keys count too, and are stopped before the worker', async (t) => {
  const { upgrade, reached, lookUps, holdUntil } = await gateway(t);
  const bad = () => upgrade(lite, 'svceet.pcm.v1', 'Authorization: Bearer bad\r\n');
  for (let i = 0; i < 3; i += 1) t.is((await bad()).status, 401);
  const { promise, resolve } = Promise.withResolvers<void>();
  holdUntil(promise);
  const all = Array.from({ length: 20 }, bad);
  // Nineteen are answered although the look-up of one is not.
  let answered = 0;
  await new Promise<void>((enough) => {
    for (const one of all) void one.then(() => (answered += 1) === 19 && enough());
  });
  t.deepEqual([reached(), lookUps()], [3, 4]);
  resolve();
  t.deepEqual([...new Set((await Promise.all(all)).map(({ status }) => status))], [429]);
});

test('every answer to an upgrade is counted by its stream, whoever gives it', async (t) => {
  const { upgrade, answers, logged, loseWorker } = await gateway(t);
  const key = 'Authorization: Bearer key-of-org_1\r\n';
  await upgrade(`${lite}?id=1`, 'svceet.pcm.v1', key);
  t.deepEqual(answers, [`${lite} 401`]);
  loseWorker();
  const named = `${key}X-Request-ID: of-its-caller\r\n`;
  t.is((await upgrade(spectra, 'svc.spectra2.v1', named)).status, 503);
  t.is(logged.length, 1);
  t.like(JSON.parse(logged[0]!), { level: 40, requestId: 'of-its-caller' });
  t.deepEqual(answers.slice(1), [`${spectra} 503`]);
  for (let i = 0; i < 4; i += 1) {
    await upgrade('/openai/v1/realtime/', 'realtime', 'Authorization: Bearer bad\r\n');
  }
  t.is(answers.at(-1), '/openai/v1/realtime 429');
  t.is(answers.length, 6);
});

test('an upgrade that the worker never answers is 503 after its time', async (t) => {
  const { upgrade, reached, answers, logged } = await gateway(t, 50);
  const { status, body } = await upgrade(lite, 'svceet.pcm.v1', 'Authorization: Bearer org_1\r\n');
  t.is(status, 503);
  t.regex(body, /"code":"not_ready"/);
  t.is(reached(), 1);
  t.deepEqual(answers, [`${lite} 503`]);
  t.regex(logged.join(''), /the stream worker does not answer/);
});

test('a client that leaves before its answer is no failure of the worker', async (t) => {
  const { port, reached, left, answers, logged } = await gateway(t, 600_000);
  const client = connect({ host: '127.0.0.1', port });
  client.write(upgradeOf('key-of-org_1'));
  await until(() => reached() === 1);
  client.resetAndDestroy();
  await until(() => left() === 1);
  t.deepEqual([answers, logged], [[], []]);
});

test('keys, tickets and tokens take slots of their organization; others take none', async (t) => {
  const { upgrade, slots, reached } = await gateway(t);
  const key = (text: string): string => `Authorization: Bearer ${text}\r\n`;
  await upgrade(lite, 'svceet.pcm.v1', key('key-of-org_1'));
  await upgrade(lite, 'svceet.pcm.v1, auth.token-of-org_1');
  await upgrade(spectra, 'svc.spectra2.v1, ticket-of-org_1');
  // The ticket opens the stream, whatever the key is.
  await upgrade(spectra, 'svc.spectra2.v1, ticket-of-org_1', key('another'));
  t.deepEqual(slots, ['org_1', 'org_1', 'org_1', 'org_1']);
  await upgrade(lite, 'svceet.pcm.v1', key('unknown'));
  await upgrade(lite, 'svceet.pcm.v1, auth.unknown');
  await upgrade(lite, 'another.protocol', key('key-of-org_1'));
  t.is(slots.length, 4);
  t.is(reached(), 7);
});

test('a key that the worker does not accept any more is looked up again', async (t) => {
  const { upgrade, lookUps } = await gateway(t);
  const revoked = () => upgrade(lite, 'svceet.pcm.v1', 'Authorization: Bearer of-org_1\r\n');
  await revoked();
  await revoked();
  t.is(lookUps(), 2);
});

test('an upgrade whose client leaves while it waits reaches no worker', async (t) => {
  const { port, reached, slots, holdSlotsUntil } = await gateway(t);
  const { promise, resolve } = Promise.withResolvers<void>();
  holdSlotsUntil(promise);
  const client = connect({ host: '127.0.0.1', port, allowHalfOpen: true });
  client.on('error', () => {});
  client.resume();
  client.write(upgradeOf('key-of-org_1'));
  await until(() => slots.length === 1);
  client.write('a byte before the answer');
  client.end();
  // The gateway closes its side although no slot has become free.
  await once(client, 'close');
  resolve();
  await new Promise((soon) => setImmediate(soon));
  t.is(reached(), 0);
});

test('what a client sends while it waits reaches the worker behind its request', async (t) => {
  const { port, received, slots, holdSlotsUntil } = await gateway(t);
  const { promise, resolve } = Promise.withResolvers<void>();
  holdSlotsUntil(promise);
  const client = connect({ host: '127.0.0.1', port });
  client.on('error', () => {});
  client.resume();
  client.write(upgradeOf('key-of-org_1'));
  await until(() => slots.length === 1);
  await new Promise<void>((sent) => client.write('early', () => sent()));
  resolve();
  await until(() => received.join('').endsWith('\r\n\r\nearly'));
  client.destroy();
  t.pass();
});

function upgradeOf(key: string): string {
  return (
    `GET ${lite} HTTP/1.1\r\nHost: test\r\nSec-WebSocket-Protocol: svceet.pcm.v1\r\n` +
    `Authorization: Bearer ${key}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`
  );
}
