// Connections to PostgreSQL: what `sslmode` means, and what a failover leaves behind.
import test from 'ava';
import { sql } from 'kysely';
import { connectionString } from '../../db/connection.ts';
import { openDatabase } from '../../db/database.ts';
import { patient, testDatabase } from '../support/database.ts';

test("an address with sslmode is read as libpq does, the driver's own switch is kept", (t) => {
  const plain = 'postgres://u:p@db/svc';
  t.is(connectionString(plain), plain);
  t.is(
    connectionString(`${plain}?sslmode=require`),
    `${plain}?sslmode=require&uselibpqcompat=true`,
  );
  const chosen = `${plain}?sslmode=require&uselibpqcompat=false`;
  t.is(connectionString(chosen), chosen);
});

test('a connection to a server that became a standby is closed at its first write', async (t) => {
  const { url } = await testDatabase(t);
  const db = openDatabase(url, { ...patient, maxConnections: 1 });
  t.teardown(() => db.destroy());
  const pid = async (): Promise<number> => {
    const { rows } = await sql<{ pid: number }>`SELECT pg_backend_pid() AS pid`.execute(db);
    return rows[0]!.pid;
  };
  const before = await pid();
  t.is(await pid(), before, 'the pool has one connection');
  // As after a demotion: the session lives on and may only read.
  await sql`SET SESSION CHARACTERISTICS AS TRANSACTION READ ONLY`.execute(db);
  const write = () => sql`DELETE FROM place_holders`.execute(db);
  const rejected = await t.throwsAsync<Error & { code?: string }>(write());
  t.is(rejected.code, '25006');
  await t.notThrowsAsync(write());
  t.not(await pid(), before);
});
