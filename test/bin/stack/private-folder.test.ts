// The data directory of a stack, and what an earlier version left readable in it.
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import {
  allowTraversal,
  makePrivate,
  requireOwnFolder,
} from '../../../bin/stack/private-folder.ts';
import { SettingsError } from '../../../bin/settings/stack-settings.ts';
import {
  copySecrets,
  ensureSecrets,
  joinedKeys,
  keepKeys,
  writePrivateFile,
} from '../../../bin/stack/secrets.ts';

const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8);

test('no other user lists the folder or reads its files', (t) => {
  const parent = mkdtempSync(join(tmpdir(), 'svc-private-'));
  t.teardown(() => rmSync(parent, { recursive: true }));
  const folder = join(parent, 'data');
  mkdirSync(folder);
  chmodSync(folder, 0o755);
  const database = join(folder, 'temporal.db');
  writeFileSync(database, '');
  chmodSync(database, 0o644);
  mkdirSync(join(folder, 'objects'));
  makePrivate(folder);
  t.deepEqual([folder, database, join(folder, 'objects')].map(modeOf), ['700', '600', '700']);
  allowTraversal(folder, { gid: process.getgid!() });
  t.is(modeOf(folder), '710');
  makePrivate(folder);
  t.is(modeOf(folder), '700');
});

test('a folder of other things is refused as it is; one of a stack or a new volume is not', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-others-'));
  t.teardown(() => rmSync(folder, { recursive: true }));
  requireOwnFolder(join(folder, 'none'));
  for (const name of ['lost+found', '.snapshots']) mkdirSync(join(folder, name));
  // Of a first start that was killed.
  writeFileSync(join(folder, 'stack.json'), '');
  t.notThrows(() => requireOwnFolder(folder));
  const calls = join(folder, 'calls');
  mkdirSync(calls);
  chmodSync(calls, 0o775);
  t.throws(() => requireOwnFolder(folder), {
    instanceOf: SettingsError,
    message: `${folder} has calls, but no secrets.json of a stack: \
set SVC_DATA_DIR to a new folder, which the stack makes its own`,
  });
  t.is(modeOf(calls), '775');
  ensureSecrets(folder);
  t.notThrows(() => requireOwnFolder(folder));
});

test('secrets of an earlier version are kept, and new ones are added', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-secrets-'));
  t.teardown(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'secrets.json');
  const old = {
    postgresPassword: 'p'.repeat(48),
    s3AccessKeyId: 'svc0123',
    s3SecretAccessKey: 's'.repeat(48),
  };
  writeFileSync(path, JSON.stringify(old));
  const secrets = ensureSecrets(folder);
  t.like(secrets, old);
  const { ino } = statSync(path);
  t.deepEqual(ensureSecrets(folder), secrets);
  t.is(statSync(path).ino, ino, 'what is complete is not written again');
  t.is(Buffer.from(secrets.secretsKey, 'base64').length, 32);
  t.not(secrets.postgresServicePassword, secrets.postgresPassword);
  t.is(modeOf(path), '600');
});

test('a key of the environment is kept for starts without it, and earlier ones still open', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-secrets-'));
  t.teardown(() => rmSync(folder, { recursive: true }));
  const own = ensureSecrets(folder).secretsKey;
  const [first, second] = [1, 2].map(() => randomBytes(32).toString('base64'));
  const start = (given?: string): string => {
    const secrets = ensureSecrets(folder);
    const keys = joinedKeys(given, secrets);
    keepKeys(folder, secrets, keys);
    return keys;
  };
  t.is(start(), own);
  t.is(start(`${first}, ${own}`), `${first}, ${own}`);
  t.is(start(second), `${second},${first},${own}`);
  t.is(start(), `${second},${first},${own}`);
  t.is(start(first), `${first},${second},${own}`);
  const path = join(folder, 'secrets.json');
  writeFileSync(path, readFileSync(path, 'utf8').replace(`,${second},${own}`, ''));
  t.is(start(), first!, 'what was removed does not come back');
  t.is(modeOf(join(folder, 'secrets.json')), '600');
});

test('secrets that are damaged are named, and none replace them', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-secrets-'));
  t.teardown(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'secrets.json');
  for (const text of ['', '{"postgresPassword":', '{"postgresPassword":"short"}']) {
    writeFileSync(path, text);
    const error = t.throws(() => ensureSecrets(folder));
    t.true(error.message.includes(`${path} is damaged`), error.message);
    t.is(readFileSync(path, 'utf8'), text);
  }
});

test('a file that cannot be written leaves nothing half written', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-half-'));
  t.teardown(() => rmSync(folder, { recursive: true }));
  // The file itself can be written here, but not put in its place.
  mkdirSync(join(folder, 'stack.json'));
  t.throws(() => writePrivateFile(join(folder, 'stack.json'), '{}'));
  t.deepEqual(readdirSync(folder), ['stack.json']);
});

test('a file that a full disk has no room for is named', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-full-'));
  t.teardown(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'secrets.json');
  symlinkSync('/dev/full', `${path}.${process.pid}.tmp`);
  t.throws(() => writePrivateFile(path, '{}'), {
    code: 'ENOSPC',
    message: `ENOSPC: no space left on device, write '${path}'`,
  });
  t.deepEqual(readdirSync(folder), []);
});

test('a backup has the key of the demonstration, where there is one, as private as it was', (t) => {
  const parent = mkdtempSync(join(tmpdir(), 'svc-copied-'));
  t.teardown(() => rmSync(parent, { recursive: true }));
  const [data = '', plain = '', whole = ''] = ['data', 'plain', 'whole'].map((name) => {
    const folder = join(parent, name);
    mkdirSync(folder);
    return folder;
  });
  const secrets = ensureSecrets(data);
  copySecrets(data, plain);
  t.deepEqual(readdirSync(plain), ['secrets.json'], 'before `npm start` has made one');
  writePrivateFile(join(data, 'demo-key'), 'svc_test_demo\n');
  copySecrets(data, whole);
  t.deepEqual(ensureSecrets(whole), secrets);
  t.is(readFileSync(join(whole, 'demo-key'), 'utf8'), 'svc_test_demo\n');
  t.is(modeOf(join(whole, 'demo-key')), '600');
});
