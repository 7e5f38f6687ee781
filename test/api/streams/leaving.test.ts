// An API that stops: the streams that it forwards end as the service's doing, with the reason.
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import test, { type ExecutionContext } from 'ava';
import Koa from 'koa';
import { pino } from 'pino';
import { createCredentialFailures } from '../../../api/http/credential-failures.ts';
import { createRequestThrottle } from '../../../api/http/request-throttle.ts';
import type { RequestState } from '../../../api/http/request-state.ts';
import { createHttpServer } from '../../../api/http/server.ts';
import { forwardUpgrades } from '../../../api/streams/forward.ts';
import { partingHeader } from '../../../api/streams/parting.ts';
import { balanceOf } from '../../../db/balance.ts';
import { spoken } from '../../support/fake-pool.ts';
import { framesOf, openSocket } from '../../support/sockets.ts';
import { aStreamServer } from '../../support/stream-server.ts';
import { until } from '../../support/until.ts';

const words = spoken(3, [{ value: 7, startSeconds: 0.5, endSeconds: 2.4 }]);

interface Interim {
  readonly stable: readonly object[];
  readonly tail: readonly object[];
}

/** A client that was told words, through an API. */
async function aForwardedStream(t: ExecutionContext, headers: Record<string, string> = {}) {
  const worker = await aStreamServer(t);
  const { db, account } = worker;
  const { organizationId, key } = account;
  const server = createHttpServer(new Koa<RequestState>()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const forwarded = forwardUpgrades(server, {
    address: { host: '127.0.0.1', port: worker.server.port },
    credentialFailures: createCredentialFailures(),
    trustedProxies: [],
    throttle: createRequestThrottle(),
    findOrganization: async () => organizationId,
    logger: pino({ level: 'silent' }),
    answered: () => {},
  });
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = openSocket(base, '/v1/audio/transcriptions/stream', {
    ...{ protocols: ['svceet.pcm.live.v1'], key, headers },
  });
  t.teardown(() => {
    client.socket.terminate();
    forwarded.close();
    server.close();
    return worker.server.close(2_001);
  });
  let isTold = false;
  client.socket.on('message', (data) => {
    const { stable, tail } = JSON.parse((data as Buffer).toString()) as Partial<Interim>;
    isTold ||= (stable?.length ?? 0) + (tail?.length ?? 0) > 0;
  });
  await client.message('ready');
  for (const frame of framesOf(words)) client.send(frame);
  await until(() => isTold);
  const row = () =>
    db.selectFrom('requests').select(['state', 'billableSeconds']).executeTakeFirst();
  const ended = (): ReturnType<typeof row> => until(row, (now) => now?.state !== 'running');
  const left = async () => (await balanceOf(db, organizationId)).remainingSeconds;
  return { client, forwarded, ended, left };
}

test('its client is told why, pays for nothing, and may try the same id again', async (t) => {
  const { client, forwarded, ended, left } = await aForwardedStream(t);
  forwarded.leave();
  const { code, messages } = await client.ended;
  t.deepEqual([code, messages.at(-1).type, messages.at(-1).code], [1013, 'error', 'not_ready']);
  t.like(await ended(), { state: 'failed' });
  t.is(await left(), 3_600);
});

test('a client that names a word of its own ends nothing by it, and pays', async (t) => {
  const { client, ended, left } = await aForwardedStream(t, { [partingHeader]: 'mine' });
  const answered = once(client.socket, 'pong');
  client.socket.ping('mine');
  await answered;
  client.send({ type: 'ping' });
  t.deepEqual(await client.message('pong'), { type: 'pong' }, 'the stream goes on');
  client.socket.terminate();
  const { state, billableSeconds } = (await ended())!;
  t.is(state, 'completed');
  t.is(await left(), 3_600 - billableSeconds!);
});
