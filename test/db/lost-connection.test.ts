// The connection to PostgreSQL is cut: its users receive an error, the process survives, and the
// pool opens new connections.
import { setTimeout as sleep } from 'node:timers/promises';
import test, { type ExecutionContext } from 'ava';
import { sql } from 'kysely';
import { openDatabase, pingDatabase, requireWritableDatabase } from '../../db/database.ts';
import { listenForCompletions } from '../../db/completions.ts';
import { startTcpProxy } from '../faults/tcp-proxy.ts';
import { announceCompletion } from '../support/announce.ts';
import { patient, testDatabase } from '../support/database.ts';
import { atPort } from '../support/environment.ts';
import { until } from '../support/until.ts';

async function behindLine(t: ExecutionContext) {
  const { db: direct, url } = await testDatabase(t);
  const line = await startTcpProxy(t, url);
  return { direct, line, url: atPort(url, line.port) };
}

test('a transaction whose connection is cut fails, and the next one works', async (t) => {
  const { line, url } = await behindLine(t);
  const db = openDatabase(url, patient);
  t.teardown(() => db.destroy());
  for (const when of ['between statements', 'within a statement']) {
    const broken = db.transaction().execute(async (trx) => {
      await sql`SELECT 1`.execute(trx);
      if (when === 'between statements') {
        line.set('cut');
        await sleep(100);
      } else setTimeout(() => line.set('cut'), 100);
      await sql`SELECT pg_sleep(5)`.execute(trx);
    });
    await t.throwsAsync(broken, undefined, when);
    await t.throwsAsync(pingDatabase(db));
    line.set('open');
    await t.notThrowsAsync(pingDatabase(db));
  }
});

test('completions are received again after the connection was cut', async (t) => {
  const { direct, line, url } = await behindLine(t);
  const completions = listenForCompletions(url);
  t.teardown(() => completions.close());
  const ref = { organizationId: 'org', requestId: 'id', attempt: 1 };
  for (let round = 0; round < 2; round += 1) {
    const { completed, stop } = completions.next(ref);
    let notified = false;
    void completed.then(() => {
      notified = true;
    });
    const received = await until(async () => {
      await announceCompletion(direct, ref);
      return notified;
    });
    t.true(received, `round ${round}`);
    stop();
    line.set('cut');
    await sleep(50);
    line.set('open');
  }
});

test('a writable database is found so, and one whose disk is full is not', async (t) => {
  const { db, url, ownerUrl } = await testDatabase(t);
  await t.notThrowsAsync(requireWritableDatabase(db));
  // The server's own limit simulates a full disk.
  const name = new URL(url).pathname.slice(1);
  const owner = openDatabase(ownerUrl, patient);
  await sql.raw(`ALTER DATABASE ${name} SET temp_file_limit = '64kB'`).execute(owner);
  await owner.destroy();
  const limited = openDatabase(url, patient);
  t.teardown(() => limited.destroy());
  await t.notThrowsAsync(pingDatabase(limited));
  await t.throwsAsync(requireWritableDatabase(limited), { message: /temporary file/ });
});
