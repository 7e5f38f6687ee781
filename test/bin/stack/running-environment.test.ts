// Commands beside a stack: where it is, and what its operator gave it by files.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { serviceAddress } from '../../../bin/client/address.ts';
import { databaseSettings } from '../../../bin/settings/database-config.ts';
import { InvalidSettings, readConfig, valuesOfFiles } from '../../../bin/settings/read-config.ts';
import { secretsSettings } from '../../../bin/settings/service-config.ts';
import { environmentOf } from '../../../bin/stack/running-environment.ts';
import { writeRecord } from '../../../bin/stack/stack-record.ts';

function aFolder(t: ExecutionContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'svc-beside-'));
  t.teardown(() => rmSync(folder, { recursive: true }));
  return folder;
}

test('clients find the stack that runs at its own address, with its key', (t) => {
  const SVC_DATA_DIR = aFolder(t);
  const key = 'demo';
  writeFileSync(join(SVC_DATA_DIR, 'demo-key'), `${key}\n`);
  const addressOf = (env: object = {}) => serviceAddress({}, { SVC_DATA_DIR, ...env }).base;
  t.is(addressOf(), 'http://127.0.0.1:8080');
  t.is(addressOf({ SVC_HOST: '::' }), 'http://127.0.0.1:8080');
  // This process stands for the stack.
  const environment = { SVC_HOST: '::1', SVC_PORT: '9090', DATABASE_URL: 'postgres://db/svc' };
  writeRecord(SVC_DATA_DIR, { parts: [], environment });
  t.deepEqual(serviceAddress({}, { SVC_DATA_DIR }), { base: 'http://[::1]:9090', key });
  t.is(addressOf({ SVC_PORT: '7070' }), 'http://[::1]:7070');
  t.is(addressOf({ SVC_BASE_URL: 'https://speech.example' }), 'https://speech.example');
});

test('a variable that is set and empty is not set, as everywhere', (t) => {
  const SVC_DATA_DIR = aFolder(t);
  writeFileSync(join(SVC_DATA_DIR, 'demo-key'), 'demo\n');
  const address = serviceAddress({}, { SVC_DATA_DIR, SVC_BASE_URL: '', SVC_API_KEY: '' });
  t.deepEqual(address, { base: 'http://127.0.0.1:8080', key: 'demo' });
});

test('a file of the operator is read in the place of the value that the stack has', (t) => {
  const folder = aFolder(t);
  const DATABASE_URL_FILE = join(folder, 'url');
  writeFileSync(DATABASE_URL_FILE, 'postgres://other/svc\n');
  writeRecord(folder, { parts: [], environment: { DATABASE_URL: 'postgres://db/svc' } });
  const environment = environmentOf(folder, { DATABASE_URL_FILE });
  t.is(readConfig(databaseSettings, environment).DATABASE_URL, 'postgres://other/svc');
});

test('the stack sets its variables beside files of its operator', (t) => {
  const SVC_SECRETS_KEY_FILE = join(aFolder(t), 'key');
  const key = Buffer.alloc(32).toString('base64');
  writeFileSync(SVC_SECRETS_KEY_FILE, `${key}\n`);
  const given = { SVC_SECRETS_KEY_FILE };
  const values = valuesOfFiles(secretsSettings, given);
  t.deepEqual(values, { SVC_SECRETS_KEY: key, SVC_SECRETS_KEY_FILE: '' });
  const ofPart = { ...given, ...values, SVC_SECRETS_KEY: key };
  t.is(readConfig(secretsSettings, ofPart).SVC_SECRETS_KEY, key);
  t.throws(() => valuesOfFiles(secretsSettings, { SVC_SECRETS_KEY_FILE: '/none' }), {
    instanceOf: InvalidSettings,
    message: /SVC_SECRETS_KEY cannot be read from SVC_SECRETS_KEY_FILE=\/none \(ENOENT\)/,
  });
  t.throws(() => valuesOfFiles(secretsSettings, { ...given, SVC_SECRETS_KEY: key }), {
    message: /both SVC_SECRETS_KEY and SVC_SECRETS_KEY_FILE are set/,
  });
});
