// What an upgrade decides: whose minutes pay for the stream, and how long its ticket lasts.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import test from 'ava';
import { sql } from 'kysely';
import { claimStream } from '../../../api/runs/claim-stream.ts';
import { createSession } from '../../../db/sessions.ts';
import { createCredential } from '../../../db/stream-credentials.ts';
import { sendRaw } from '../../support/raw-http.ts';
import { openSocket } from '../../support/sockets.ts';
import { aStreamServer } from '../../support/stream-server.ts';

const model = 'svc-spectra-2';
const task = 'transcription';
const [lite, spectra] = ['/v1/audio/transcriptions/stream', '/v1/audio/spectra-2/stream'];

test('an id that used up the allowance is answered by its request', async (t) => {
  const { db, account, base, server } = await aStreamServer(t);
  t.teardown(() => server.close(0));
  const { organizationId, keyId, key } = account;
  const claim = { organizationId, keyId, task, ratePerMinute: 0 } as const;
  await claimStream(db, { ...claim, model, requestId: 'known' });
  await claimStream(db, { ...claim, model: 'svc-svceet', requestId: 'lite' });
  await db.updateTable('requests').set({ state: 'completed' }).execute();
  await db.updateTable('organizations').set({ allowanceSeconds: 0 }).execute();
  const open = (path: string, protocol: string, requestId: string) => {
    const headers = { 'X-Request-ID': requestId };
    return openSocket(base, path, { protocols: [protocol], key, headers });
  };
  const known = open(spectra, 'svc.spectra2.v1', 'known');
  known.socket.once('open', () => known.send({ type: 'start', model, task }));
  const { code, messages } = await known.ended;
  t.is(code, 1008, JSON.stringify(messages));
  t.is(messages[0].error.code, 'request_already_completed');
  const again = open(lite, 'svceet.pcm.v1', 'lite');
  again.socket.once('open', () => again.send(new Uint8Array(32_000)));
  t.is((await again.ended).code, 1008);
  for (const [path, protocol, id] of [
    [spectra, 'svc.spectra2.v1', 'new'],
    [lite, 'svceet.pcm.v1', 'new'],
    ['/openai/v1/realtime?intent=transcription', 'realtime', 'known'],
  ] as const) {
    const refused = await open(path, protocol, id).ended;
    t.is(refused.code, 402, `${path} ${JSON.stringify(refused.messages)}`);
  }
});

test('a handshake of another version is told which one is spoken', async (t) => {
  const { base, server } = await aStreamServer(t);
  t.teardown(() => server.close(0));
  const lines = ['Host: test', 'Connection: Upgrade', 'Upgrade: websocket'];
  const key = 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==';
  const head = [`GET ${lite} HTTP/1.1`, ...lines, key, 'Sec-WebSocket-Version: 12', '', ''];
  const answer = await sendRaw(base, [head.join('\r\n')]);
  t.is(answer.status, 400);
  t.regex(answer.head, /\r\nSec-WebSocket-Version: 13\r\n/);
});

test('a ticket whose upgrade waits ends with its session', async (t) => {
  const ends: number[] = [];
  const acquireStart = async () => {
    await sleep(500);
    const left = sql<number>`extract(epoch FROM expires_at - clock_timestamp())`.as('left');
    const row = await db.selectFrom('preparedSessions').select(left).executeTakeFirstOrThrow();
    ends.push(row.left);
    return () => {};
  };
  const { db, account, base, server } = await aStreamServer(t, { acquireStart });
  t.teardown(() => server.close(0));
  const { organizationId, keyId } = account;
  const [sessionId, requestId, ticket] = ['session', 'slot', randomUUID()];
  await createSession(db, {
    ...{ organizationId, keyId, sessionId, token: 'token', slots: 1 },
    ...{ maxCapacitySeconds: 60, ratePerMinute: 0, lifetimeSeconds: 30 },
  });
  await claimStream(db, { organizationId, keyId, task, model, requestId, ratePerMinute: 0 });
  const opens = { sessionId, requestId, attempt: 1, task, coveredSeconds: 30 } as const;
  await createCredential(db, { kind: 'ticket', secret: ticket, organizationId, keyId, opens });
  const stream = openSocket(base, spectra, { protocols: ['svc.spectra2.v1', ticket] });
  stream.socket.once('open', () => stream.send({ type: 'start' }));
  const answer = await Promise.race([stream.message('ready'), stream.ended]);
  stream.socket.terminate();
  const most = answer.max_audio_seconds as number;
  t.true(most > 0 && most <= ends[0]!, `${most} of ${ends[0]} s: ${JSON.stringify(answer)}`);
});

test('an upgrade that the service cannot answer is counted as its failure', async (t) => {
  const acquireStart = async (): Promise<never> => {
    throw Object.assign(new Error('no answer'), { code: 'ECONNREFUSED' });
  };
  const { account, base, server, counts } = await aStreamServer(t, { acquireStart });
  t.teardown(() => server.close(0));
  const open = (key: string) => openSocket(base, lite, { protocols: ['svceet.pcm.v1'], key }).ended;
  t.is((await open('svc_test_0000000000000000_wrong')).code, 401);
  t.deepEqual(counts.failed, []);
  t.is((await open(account.key)).code, 503);
  t.deepEqual(counts.failed, ['not_ready']);
});
