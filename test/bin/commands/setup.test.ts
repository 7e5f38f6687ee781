// `svc setup` on servers of somebody else: the first key is never lost, and errors say what to do.
import { randomBytes } from 'node:crypto';
import { chmod, mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import pg from 'pg';
import { connectTemporal } from '../../../bin/process/temporal-connection.ts';
import { requireLogin } from '../../../db/database-provision.ts';
import { prepareDatabase } from '../../../db/migrate.ts';
import { openObjectStore } from '../../../db/objects/object-store.ts';
import { emptyDatabase } from '../../support/database.ts';
import { testServers } from '../../support/environment.ts';
import { withDirectory } from '../../support/speech.ts';
import { callSvc } from '../../support/svc.ts';
import { migrate, provisionDatabase, withStorage } from '../../../bin/provision/stores.ts';
import { reserveKeyFile } from '../../../bin/provision/key-file.ts';

test('a key that cannot be written is not made, and no file is left without one', async (t) => {
  const { url, ownerUrl } = await emptyDatabase(t);
  const { s3, temporalAddress } = testServers();
  const bucket = `test-${randomBytes(8).toString('hex')}`;
  t.teardown(async () => {
    const objects = openObjectStore({ ...s3, bucket });
    await objects.delete(await objects.list(''));
    objects.close();
  });
  const environment = {
    ...{ DATABASE_URL: url, DATABASE_OWNER_URL: ownerUrl, S3_BUCKET: bucket },
    ...{ S3_ENDPOINT: s3.endpoint, S3_ACCESS_KEY_ID: s3.accessKeyId },
    ...{ S3_SECRET_ACCESS_KEY: s3.secretAccessKey, TEMPORAL_ADDRESS: temporalAddress },
    SVC_TASK_QUEUE: bucket,
  };
  await withDirectory(async (folder) => {
    const setUp = (file: string) => callSvc(environment, 'setup', '--key-file', join(folder, file));
    const nowhere = await setUp('none/key');
    t.regex(nowhere.stderr, /^svc: the key cannot be written to .*none\/key \(ENOENT/);
    t.is(nowhere.stdout, '', 'before the first step');
    const old = join(folder, 'old');
    await writeFile(old, 'another key');
    await chmod(old, 0o644);
    t.regex((await setUp('old')).stderr, /old is there already: name a new file/);
    t.is(await readFile(old, 'utf8'), 'another key');
    const done = await setUp('key');
    t.regex(done.stdout, /^created +organization org_/m, done.stderr);
    t.regex(await readFile(join(folder, 'key'), 'utf8'), /^svc_live_[\w-]+\n$/);
    t.is((await stat(join(folder, 'key'))).mode & 0o777, 0o600);
    const again = await setUp('again');
    t.regex(again.stdout, /^exists +organizations: 1 \(svc admin key create/m, again.stderr);
    await t.throwsAsync(stat(join(folder, 'again')), { code: 'ENOENT' });
    t.is((await setUp('key')).code, 0, 'the same command again');
  });
});

test('a file for the key that is there already is left as it is', async (t) => {
  await withDirectory(async (folder) => {
    await mkdir(join(folder, 'keys'));
    const path = join(folder, 'keys', 'key');
    reserveKeyFile(path).close();
    await writeFile(path, 'old');
    const file = reserveKeyFile(path);
    t.throws(() => file.write('new'), { message: /is there already/ });
    file.close();
    t.is(await readFile(path, 'utf8'), 'old');
  });
});

test('an owner who may not create tables is told what an administrator must run', async (t) => {
  const { url, ownerUrl } = await emptyDatabase(t);
  const administrator = new pg.Client({ connectionString: ownerUrl });
  await administrator.connect();
  await administrator.query('REVOKE CREATE ON SCHEMA public FROM PUBLIC');
  await administrator.end();
  const role = new URL(url).username;
  await t.throwsAsync(migrate({ serviceUrl: url, ownerUrl: null }), {
    name: 'ProvisionError',
    message: new RegExp(`must run: GRANT USAGE, CREATE ON SCHEMA "public" TO "${role}";$`),
  });
  await t.notThrowsAsync(prepareDatabase(url, ownerUrl));
});

test('other servers that refuse are named with what helps', async (t) => {
  const url = new URL((await emptyDatabase(t)).url);
  url.password = 'wrong';
  const statement = `ALTER ROLE "${url.username}" PASSWORD '…'`;
  await t.throwsAsync(requireLogin(url.href), { message: new RegExp(`or run ${statement}$`) });
  const access = { address: '127.0.0.1:9', namespace: 'default', apiKey: null, tls: null };
  await t.throwsAsync(connectTemporal(access, 500), {
    message: 'no connection to Temporal at 127.0.0.1:9 (TEMPORAL_ADDRESS, TEMPORAL_TLS_*)',
  });
});

test('a database that refuses is named with its variable and user', async (t) => {
  const nobody = new URL((await emptyDatabase(t)).url);
  const place = nobody.host + nobody.pathname;
  nobody.username = 'nobody';
  const serviceUrl = nobody.href;
  await t.throwsAsync(provisionDatabase({ serviceUrl, ownerUrl: null }), {
    message: new RegExp(
      `^PostgreSQL at ${place} as nobody \\(DATABASE_URL\\): password .* "nobody"; a role that ` +
        'does not exist yet is created by that of DATABASE_OWNER_URL$',
    ),
  });
  await t.throwsAsync(provisionDatabase({ serviceUrl, ownerUrl: serviceUrl }), {
    message: /as nobody \(DATABASE_OWNER_URL\): password .* "nobody"$/,
  });
  await t.throwsAsync(
    provisionDatabase({ serviceUrl: 'postgres://a:b@127.0.0.1:9/svc', ownerUrl: null }),
    {
      message:
        'PostgreSQL at 127.0.0.1:9/svc as a (DATABASE_URL): connect ECONNREFUSED 127.0.0.1:9',
    },
  );
});

test('an error of the storage names its address, its settings and its answer', async (t) => {
  const { s3 } = testServers();
  const failing = (options: object) =>
    withStorage({ ...s3, bucket: 'test-none', ...options }, (objects) => objects.ping());
  const storage = `object storage at ${s3.endpoint}, bucket test-none,`;
  await t.throwsAsync(failing({}), {
    message: `${storage} answered 404 (S3_BUCKET and its credentials)`,
  });
  await t.throwsAsync(failing({ secretAccessKey: 'wrong' }), { message: / answered 403 / });
  await t.throwsAsync(failing({ endpoint: 'http://127.0.0.1:9' }), {
    message: 'no answer of object storage at http://127.0.0.1:9 (S3_ENDPOINT, S3_TLS_CA)',
  });
});
