// The embedded S3 servers: what the service needs of storage holds on each one available here.
import { randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import type { S3ServerName } from '../../../bin/setup/s3-choice.mjs';
import { readSettings } from '../../../bin/settings/stack-settings.ts';
import { openObjectStore, type ObjectStore } from '../../../db/objects/object-store.ts';
import { startServices, type TestServices } from '../../runner/services.ts';
import { until } from '../../support/until.ts';

/** Set-up names the programs that it could install; a machine without Go has one of them. */
const programs: Readonly<Record<S3ServerName, string | undefined>> = {
  versitygw: process.env.SVC_VERSITYGW_BINARY,
  seaweedfs: process.env.SVC_SEAWEEDFS_BINARY,
};

async function* blocks(bytes: Buffer): AsyncGenerator<Buffer> {
  for (let i = 0; i < bytes.length; i += 65_536) yield bytes.subarray(i, i + 65_536);
}

function open(t: ExecutionContext, { environment }: TestServices): ObjectStore {
  const objects = openObjectStore({
    endpoint: environment.TEST_S3_ENDPOINT ?? '',
    region: 'us-east-1',
    accessKeyId: environment.TEST_S3_ACCESS_KEY_ID ?? '',
    secretAccessKey: environment.TEST_S3_SECRET_ACCESS_KEY ?? '',
    bucket: 'speech',
  });
  t.teardown(() => objects.close());
  return objects;
}

// Those that set-up could install on this machine.
const present = (Object.keys(programs) as S3ServerName[]).filter((name) => programs[name]);

for (const s3Server of present) {
  test.serial(
    `${s3Server}: objects are whole, written once, and outlive a kill of the server`,
    async (t) => {
      // Longer than the path of a socket may be.
      const parent = aDataDirectory(t);
      chmodSync(parent, 0o755);
      const dataDirectory = join(parent, 'a'.repeat(110));
      mkdirSync(dataDirectory);
      const services = await startServices({ s3Server, only: ['S3 gateway'], dataDirectory });
      t.teardown(() => services.stop());
      const objects = open(t, services);
      await objects.ensureBucket();
      const large = randomBytes(25_000_000);
      const put = { bytes: 5, lifetimeSeconds: 60 };
      await objects.putStream('large', blocks(large));
      await objects.putBytes('small', 'first');
      for (const [key, bytes] of [
        ['large', large],
        ['stream', Buffer.from('second')],
      ] as const) {
        if (key === 'stream') await objects.putStream(key, blocks(bytes));
        const again = objects.putStream(key, blocks(bytes));
        await t.throwsAsync(again, { name: 'PreconditionFailed' });
      }
      t.true(
        (await objects.getRange('large', 9_000_000, 19_000_001)).equals(
          large.subarray(9_000_000, 19_000_001),
        ),
      );
      const { url, headers } = await objects.presignPut('signed', put);
      const send = async (body: string) =>
        (await fetch(url, { method: 'PUT', body, headers })).status;
      t.deepEqual([await send('hello'), await send('other')], [200, 412]);
      t.is((await fetch(`${services.environment.TEST_S3_ENDPOINT}/speech/small`)).status, 403);
      t.is(await objects.abortUploads([''], new Date(Date.now() + 60_000)), 0);
      services.kill('S3 gateway');
      const kept = await until(() => objects.getBytes('large').catch(() => null));
      t.true(kept!.equals(large));
      t.deepEqual(await objects.list(''), ['large', 'signed', 'small', 'stream']);
      await objects.delete(['large', 'signed']);
      t.deepEqual(await objects.list(''), ['small', 'stream']);
    },
  );
}

function aDataDirectory(t: ExecutionContext, ...folders: string[]): string {
  const dataDirectory = mkdtempSync(join(tmpdir(), 'svc-s3-'));
  t.teardown(() => rmSync(dataDirectory, { recursive: true }));
  for (const folder of folders) mkdirSync(join(dataDirectory, folder));
  return dataDirectory;
}

/** What the stack runs, according to its settings. */
function serverOf(dataDirectory: string, asked = ''): S3ServerName {
  return readSettings({ SVC_DATA_DIR: dataDirectory, SVC_S3_SERVER: asked }).s3Server;
}

test('a data directory stays with the server that wrote its objects', (t) => {
  const old = aDataDirectory(t, 'objects', 'metadata-of-objects');
  t.is(serverOf(old), 'versitygw');
  const other = aDataDirectory(t, 'seaweedfs');
  t.is(serverOf(other), 'seaweedfs');
  t.throws(() => serverOf(other, 'versitygw'), { message: /written by seaweedfs.*SVC_DATA_DIR/s });
  t.is(serverOf(aDataDirectory(t), 'seaweedfs'), 'seaweedfs');
  t.is(serverOf(aDataDirectory(t)), 'versitygw');
});
