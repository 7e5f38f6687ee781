// A restore: a whole data directory, or one that no stack starts on.
import { once } from 'node:events';
import fs from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import test, { type ExecutionContext } from 'ava';
import { BackupRefused, copyHistories } from '../../../bin/stack/backup.ts';
import { clusterPlace, PostgresHomeError } from '../../../bin/stack/cluster-place.ts';
import { restore } from '../../../bin/stack/restore.ts';
import { ensureSecrets } from '../../../bin/stack/secrets.ts';

/** A backup of a stack without data, and where it is to be laid out. */
function aBackup(t: ExecutionContext) {
  const root = fs.mkdtempSync(join(tmpdir(), 'svc-restore-'));
  t.teardown(() => fs.rmSync(root, { recursive: true }));
  // So that PostgreSQL's own user reaches it.
  fs.chmodSync(root, 0o755);
  const [from, data] = [join(root, 'backup'), join(root, 'data')];
  for (const name of ['postgres', 'objects', 'metadata-of-objects'])
    fs.mkdirSync(join(from, name), { recursive: true });
  fs.writeFileSync(join(from, 'postgres', 'PG_VERSION'), '18\n');
  fs.writeFileSync(join(from, 'temporal.db'), '');
  ensureSecrets(from);
  const at = '2026-01-01T00:00:00.000Z';
  const description = { version: 1, startedAt: at, endedAt: at };
  fs.writeFileSync(join(from, 'backup.json'), JSON.stringify(description));
  return { from, data };
}

const placeIn = (dataDirectory: string): string =>
  clusterPlace({ dataDirectory, user: null, secret: 'secret' });

test('a new volume is restored to, and a folder with data is not', async (t) => {
  const { from, data } = aBackup(t);
  fs.mkdirSync(join(data, 'lost+found'), { recursive: true });
  t.is((await restore(from, data)).startedAt, '2026-01-01T00:00:00.000Z');
  t.deepEqual(fs.readdirSync(placeIn(data)), ['PG_VERSION']);
  t.deepEqual(ensureSecrets(data), ensureSecrets(from));
  t.false(fs.existsSync(`${placeIn(data)}.new`));
  await t.throwsAsync(restore(from, data), { instanceOf: BackupRefused, message: /is not empty/ });
});

test('a database that is not copied to its end is none', async (t) => {
  const { from, data } = aBackup(t);
  // A socket cannot be copied.
  const server = createServer().listen(join(from, 'postgres', 'socket'));
  t.teardown(() => server.close());
  await once(server, 'listening');
  await t.throwsAsync(restore(from, data));
  t.false(fs.existsSync(join(data, 'postgres')));
  t.throws(() => placeIn(data), { instanceOf: PostgresHomeError, message: /its database is not/ });
});

test('a copy of histories is for this user alone', async (t) => {
  const { data, from } = aBackup(t);
  fs.mkdirSync(data);
  const umask = process.umask(0o022);
  t.teardown(() => process.umask(umask));
  const server = new DatabaseSync(join(data, 'temporal.db'));
  server.exec("CREATE TABLE executions (id TEXT); INSERT INTO executions VALUES ('one')");
  fs.rmSync(join(from, 'temporal.db'));
  await copyHistories(data, from);
  server.close();
  const copy = new DatabaseSync(join(from, 'temporal.db'));
  t.deepEqual({ ...copy.prepare('SELECT id FROM executions').get() }, { id: 'one' });
  copy.close();
  t.is(fs.statSync(join(from, 'temporal.db')).mode & 0o777, 0o600);
});
