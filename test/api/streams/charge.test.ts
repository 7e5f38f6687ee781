// What ends a stream while its charge is being written: the result of what is charged goes first.
import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import test, { type ExecutionContext } from 'ava';
import type { Client } from '@temporalio/client';
import { sql } from 'kysely';
import { WebSocketServer } from 'ws';
import { serveRealtime } from '../../../api/realtime/serve-realtime.ts';
import type { OpenedStream } from '../../../api/streams/authenticate.ts';
import type { DrivenStream } from '../../../api/streams/drive.ts';
import { suspendedFailure } from '../../../api/streams/protocols/protocol.ts';
import { createStreamRegistry } from '../../../api/streams/registry.ts';
import { serveLite } from '../../../api/streams/serve-lite.ts';
import { StreamSocket } from '../../../api/streams/socket.ts';
import { balanceOf } from '../../../db/balance.ts';
import type { Db } from '../../../db/database.ts';
import { claimRequest } from '../../../db/requests.ts';
import { reserve, settle } from '../../../db/settlement.ts';
import { createFairGate } from '../../../models/fairness/fair-gate.ts';
import type { StreamInput } from '../../../workflows/types.ts';
import { anAccount, testDatabase } from '../../support/database.ts';
import { defaultBundles } from '../../support/default-bundles.ts';
import { createFakePool, spoken } from '../../support/fake-pool.ts';
import { patientMs } from '../../support/patience.ts';
import { streamCounts } from '../../support/stream-counts.ts';
import { framesOf, openSocket, type TestSocket } from '../../support/sockets.ts';
import { until } from '../../support/until.ts';

interface Served {
  readonly db: Db;
  readonly client: TestSocket;
  /** The server's end. */
  readonly socket: StreamSocket;
  readonly stream: DrivenStream;
}

const second = spoken(1, [{ value: 7, startSeconds: 0.1, endSeconds: 0.9 }]);

/** A stream over a real socket and a real ledger, of a server without Temporal. */
async function aStream(t: ExecutionContext, kind: 'lite' | 'realtime'): Promise<Served> {
  const { db } = await testDatabase(t);
  const { organizationId, keyId } = await anAccount(db);
  const registry = createStreamRegistry();
  const temporal = {
    connection: { withDeadline: (_end: number, work: () => Promise<void>) => work() },
    workflow: {
      start: async (_name: string, { args: [input] }: { args: [StreamInput] }) =>
        registry.find(input)!.hold(),
    },
  } as unknown as Client;
  const services = {
    ...{ db, client: temporal, taskQueue: 'q', hostQueue: 'h', registry },
    ...{ pool: createFakePool(), affect: () => null, bundles: defaultBundles, log: () => {} },
    ...{ acquireTurn: async () => () => {}, acquireStart: async () => () => {} },
    ...{ commits: createFairGate(4), chargeTimeoutMs: patientMs, metrics: streamCounts().metrics },
  };
  const caller = {
    ...{ kind, organizationId, keyId, plan: 'subscription', redaction: null, isLive: false },
    vocabulary: [],
    ...{ realtime: { model: 'whisper-1', dialect: 'current' }, requestsPerMinute: null },
    ...{ ticket: null, requestId: null, answerId: 'stream', slot: { pin: () => {} } },
  } as unknown as OpenedStream;
  const server = new WebSocketServer({ port: 0, WebSocket: StreamSocket });
  t.teardown(() => server.close());
  const accepted = once(server, 'connection') as Promise<[StreamSocket]>;
  server.on('connection', (socket: StreamSocket) => {
    const serve = kind === 'lite' ? serveLite : serveRealtime;
    Object.assign(socket, { stream: serve(socket, caller, services) });
  });
  const { port } = server.address() as AddressInfo;
  const client = openSocket(`http://127.0.0.1:${port}`, '/', { protocols: [] });
  t.teardown(() => client.socket.terminate());
  const [socket] = await accepted;
  return { db, client, socket, stream: (socket as unknown as Served).stream };
}

/** Keeps the row of the request locked, so that its charge waits. @returns what lets it go on */
async function holdCharge(db: Db, commit: () => void): Promise<() => Promise<void>> {
  const holder = await db.startTransaction().execute();
  await holder.selectFrom('requests').selectAll().forUpdate().execute();
  commit();
  const waiting = sql<{ n: number }>`SELECT count(*)::int AS n FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock'`;
  await until(async () => (await waiting.execute(db)).rows[0]!.n > 0);
  return async () => {
    await holder.rollback().execute();
  };
}

async function chargedSeconds(db: Db): Promise<number> {
  const rows = await db.selectFrom('requests').select('billableSeconds').execute();
  return rows.reduce((sum, row) => sum + Number(row.billableSeconds ?? 0), 0);
}

/** A frame with a reserved bit. */
const broken = Buffer.from([0xf1, 0x80, 0, 0, 0, 0]);
const tcpOf = ({ socket }: TestSocket): Socket =>
  (socket as unknown as { readonly _socket: Socket })._socket;

const ends: Readonly<Record<string, (served: Served) => Promise<unknown>>> = {
  'audio after the commit': ({ client, socket }) => {
    const heard = once(socket, 'message');
    client.send(new Uint8Array(320));
    return heard;
  },
  'a broken frame': ({ client, socket }) => {
    const heard = once(socket, 'violation');
    tcpOf(client).write(broken);
    return heard;
  },
  'a flood': async ({ socket }) => {
    for (let i = 0; i < 20_000; i += 1) socket.emit('ping', Buffer.alloc(0));
  },
  'more audio than may wait': async ({ socket }) => {
    const hear = (): boolean => socket.emit('message', Buffer.alloc(320), true);
    for (let i = 0; i < 32; i += 1) hear();
    const wasRead = !socket.isPaused;
    hear();
    if (!wasRead || !socket.isPaused) throw new Error('the limit is not that of 32 messages');
  },
  'a suspended account': async ({ stream }) => stream.fail(suspendedFailure),
};

for (const [name, end] of Object.entries(ends)) {
  test(`${name} while a stream is charged ends it after its result`, async (t) => {
    const served = await aStream(t, 'lite');
    const { db, client } = served;
    await client.message('ready');
    for (const frame of framesOf(second)) client.send(frame);
    const release = await holdCharge(db, () => client.send({ type: 'commit' }));
    await end(served);
    await release();
    const { code, messages } = await client.ended;
    t.deepEqual([code, messages.map(({ type }) => type)], [1000, ['ready', 'final']]);
    t.is(await chargedSeconds(db), 1);
  });
}

test('a violation while a turn of a session is charged ends it after the transcript', async (t) => {
  const served = await aStream(t, 'realtime');
  const { db, client } = served;
  const { type } = await client.message();
  t.is(type, 'session.created');
  sendTurn(client, second);
  await until(
    () => db.selectFrom('requests').select('state').executeTakeFirst(),
    (row) => row?.state === 'running',
  );
  const release = await holdCharge(db, () => client.send({ type: 'input_audio_buffer.commit' }));
  await ends['a broken frame']!(served);
  await release();
  const { code, messages } = await client.ended;
  t.is(code, 1008);
  const last = messages.slice(-2).map(({ type: each }) => each);
  t.deepEqual(last, ['conversation.item.input_audio_transcription.completed', 'error']);
  t.true((await chargedSeconds(db)) > 0);
});

/** A turn of a session that the client commits. */
function sendTurn(client: TestSocket, samples: Int16Array): void {
  const audio = { input: { format: { type: 'audio/pcm', rate: 24_000 }, turn_detection: null } };
  client.send({ type: 'session.update', session: { type: 'transcription', audio } });
  const pcm = Buffer.from(samples.buffer).toString('base64');
  client.send({ type: 'input_audio_buffer.append', audio: pcm });
}

test('a turn of which the plan covers less fails, and nothing is charged for it', async (t) => {
  const { db, client } = await aStream(t, 'realtime');
  await client.message();
  const keys = await db.selectFrom('apiKeys').select(['organizationId', 'id']).executeTakeFirst();
  const { organizationId, id: keyId } = keys!;
  const ref = { organizationId, requestId: 'before', attempt: 1 };
  const rest = { fingerprint: 'f', task: 'emotion', model: 'svc-resonance', uploadKey: 'u' };
  await claimRequest(db, { ...ref, keyId, ratePerMinute: 0, ...rest });
  const left = async (): Promise<number> => (await balanceOf(db, organizationId)).remainingSeconds;
  const used = (await left()) - 1;
  await reserve(db, ref, used);
  await settle(db, ref, used);

  // At 24 kHz it is 2 s.
  sendTurn(client, spoken(3, [{ value: 7, startSeconds: 0.1, endSeconds: 2.9 }]));
  client.send({ type: 'input_audio_buffer.commit' });
  const [failed, completed] = ['failed', 'completed'].map(
    (end) => `conversation.item.input_audio_transcription.${end}`,
  );
  const ended = await Promise.race([client.message(failed), client.message(completed)]);
  t.like(ended.error, { type: 'billing_error', code: 'allowance_exhausted' });
  await until(async () => (await left()) === 1);
  t.is(await chargedSeconds(db), used);

  sendTurn(client, spoken(1.4, [{ value: 7, startSeconds: 0.1, endSeconds: 1.3 }]));
  client.send({ type: 'input_audio_buffer.commit' });
  await client.message(completed);
  t.is(await left(), 0, 'what is covered is transcribed');
  client.socket.close();
  const { messages } = await client.ended;
  t.is(messages.filter(({ type }) => type === failed).length, 1);
});

test('a charge whose connection is lost is written over another one', async (t) => {
  const { db, client } = await aStream(t, 'lite');
  await client.message('ready');
  for (const frame of framesOf(second)) client.send(frame);
  const release = await holdCharge(db, () => client.send({ type: 'commit' }));
  await sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock'`.execute(db);
  await release();
  const { code, messages } = await client.ended;
  t.deepEqual([code, messages.at(-1).type], [1000, 'final']);
  t.is(await chargedSeconds(db), 1);
});
