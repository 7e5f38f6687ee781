// Notifications of completions: sent with the commit, also after the connection was lost.
import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import test, { type ExecutionContext } from 'ava';
import { sql } from 'kysely';
import { listenForCompletions } from '../../db/completions.ts';
import { claimRequest } from '../../db/requests.ts';
import { settle } from '../../db/settlement.ts';
import { announceCompletion } from '../support/announce.ts';
import { anAccount, testDatabase } from '../support/database.ts';
import { patientMs } from '../support/patience.ts';
import { until } from '../support/until.ts';

test('a commit notifies, a rollback does not, and a lost connection is restored', async (t) => {
  const { db, url } = await testDatabase(t);
  const completions = listenForCompletions(url, patientMs);
  t.teardown(() => completions.close());
  const { organizationId, keyId } = await anAccount(db);
  const settled = async (requestId: string): Promise<void> => {
    const upload = {
      fingerprint: 'f',
      task: 't',
      model: 'm',
      ratePerMinute: 0,
      uploadKey: requestId,
    };
    await claimRequest(db, { organizationId, requestId, keyId, ...upload });
    const ref = { organizationId, requestId, attempt: 1 };
    const { completed } = completions.next(ref);
    await settle(db, ref, 1);
    await completed;
  };
  /** The process of PostgreSQL that serves the listening connection. */
  const listener = async (): Promise<number | undefined> => {
    const found = await sql<{ pid: number }>`SELECT pid FROM pg_stat_activity
      WHERE application_name = 'svc-completions' AND datname = current_database()
        AND query LIKE 'LISTEN%' AND state = 'idle'`.execute(db);
    return found.rows[0]?.pid;
  };
  const first = await until(listener);
  await settled('first');

  const other = { organizationId, requestId: 'rolled-back', attempt: 1 };
  const { completed, stop } = completions.next(other);
  let notified = false;
  void completed.then(() => (notified = true));
  await t.throwsAsync(settle(db, other, 1));
  // Notifications arrive in the order of their commits.
  await settled('next');
  t.false(notified);
  stop();

  await sql`SELECT pg_terminate_backend(${first})`.execute(db);
  await until(listener, (pid) => pid !== undefined && pid !== first);
  await settled('second');
});

test('all who wait for an attempt are notified, but for who has stopped', async (t) => {
  const { db, url } = await testDatabase(t);
  const completions = listenForCompletions(url, patientMs);
  t.teardown(() => completions.close());
  const refOf = (requestId: string) => ({ organizationId: 'org', requestId, attempt: 1 });
  const notified: string[] = [];
  const wait = (name: string, requestId: string) => {
    const { completed, stop } = completions.next(refOf(requestId));
    void completed.then(() => notified.push(name));
    return stop;
  };
  wait('listening', 'any');
  await until(async () => {
    await announceCompletion(db, refOf('any'));
    return notified.includes('listening');
  });
  wait('first', 'same');
  const stop = wait('second', 'same');
  wait('third', 'same');
  stop();
  stop();
  await announceCompletion(db, refOf('same'));
  wait('last', 'later');
  // Notifications arrive in the order of their commits.
  await announceCompletion(db, refOf('later'));
  await until(() => notified.includes('last'));
  t.deepEqual(notified, ['listening', 'first', 'third', 'last']);
});

/** Of PostgreSQL's protocol: who connects is let in, and a statement has been carried out. */
const ready = Buffer.from('5a0000000549', 'hex');
const letIn = Buffer.concat([Buffer.from('520000000800000000', 'hex'), ready]);
const done = Buffer.concat([Buffer.from('430000000b4c495354454e00', 'hex'), ready]);

/** @param onMessage answers each of them; the first one of a connection asks to be let in */
async function scriptedPostgres(
  t: ExecutionContext,
  onMessage: (socket: Socket, message: string) => void,
): Promise<string> {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.on('data', (data) => onMessage(socket, data.toString('latin1')));
    t.teardown(() => socket.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => server.close());
  return `postgres://test@127.0.0.1:${(server.address() as AddressInfo).port}/test`;
}

const isStatement = (message: string): boolean => message.startsWith('Q');

test('a connection that has gone silent is replaced', async (t) => {
  const listening: Socket[] = [];
  const url = await scriptedPostgres(t, (socket, message) => {
    if (!isStatement(message)) return void socket.write(letIn);
    if (listening[0] !== socket) socket.write(done);
    listening.push(socket);
  });
  const completions = listenForCompletions(url, 500);
  t.teardown(() => completions.close());
  await until(() => new Set(listening).size > 1);
  t.true(await until(() => listening[0]!.closed));
});

test('a connection that is made after the end is ended', async (t) => {
  const asked = Promise.withResolvers<Socket>();
  const next = Promise.withResolvers<string>();
  const url = await scriptedPostgres(t, (socket, message) => {
    if (message.includes('svc-completions')) asked.resolve(socket);
    else next.resolve(message);
  });
  const completions = listenForCompletions(url);
  const socket = await asked.promise;
  await completions.close();
  socket.write(letIn);
  t.regex(await next.promise, /^X/, 'it says goodbye, and does not listen');
});
