// Settings: all problems are reported together, secrets can come from files and are never printed.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import { apiSettings, readApiConfig } from '../../../bin/settings/api-config.ts';
import { databaseSettings } from '../../../bin/settings/database-config.ts';
import {
  InvalidSettings,
  readConfig,
  type Environment,
  type Settings,
} from '../../../bin/settings/read-config.ts';
import { proxySettings, storageOf, storageSettings } from '../../../bin/settings/storage-config.ts';
import { temporalOf, temporalSettings } from '../../../bin/settings/temporal-config.ts';
import { streamWorkerSettings, workerSettings } from '../../../bin/settings/worker-config.ts';

const whole = {
  DATABASE_URL: 'postgres://svc:secret@db.example:5432/svc',
  S3_BUCKET: 'calls',
  TEMPORAL_ADDRESS: 'temporal.example:7233',
};

function problemsOf(read: () => unknown): readonly string[] {
  try {
    read();
    return [];
  } catch (error) {
    if (!(error instanceof InvalidSettings)) throw error;
    return error.problems;
  }
}

const problems = (settings: Settings, environment: Environment): readonly string[] =>
  problemsOf(() => readConfig(settings, environment));

test('an invalid setting is told what is allowed', (t) => {
  const found = problemsOf(() =>
    readApiConfig({
      ...whole,
      SVC_PORT: 'eighty',
      SVC_LOG_LEVEL: 'loud',
      S3_ENDPOINT: 'ftp://storage',
    }),
  );
  t.deepEqual(found, [
    'S3_ENDPOINT: must be a URL http://… or https://…, got "ftp://storage"',
    'SVC_LOG_LEVEL: must be one of fatal, error, warn, info, debug, trace, silent, got "loud"',
    'SVC_PORT: must be a number, got "eighty"',
  ]);
});

test('all invalid settings of a process are reported at once, each with its variable', (t) => {
  const found = problemsOf(() =>
    readApiConfig({
      DATABASE_URL: 'mysql://db',
      TEMPORAL_ADDRESS: 'https://temporal:7233',
      S3_ACCESS_KEY_ID: 'id',
      SVC_PORT: '70000',
      SVC_TRUSTED_PROXIES: '10.0.0.1',
      SVC_LOG_LEVEL: 'loud',
      SVC_SECRETS_KEY: 'c2hvcnQ=',
      SVC_STREAM_ADDRESS: 'streams',
      TEMPORAL_TLS_CLIENT_CERT_DATA: '# A name\n-----BEGIN CERTIFICATE-----',
      S3_TLS_CA: '/etc/ssl/ca.pem',
    }),
  );
  const names = found.map((problem) => /^[A-Z0-9_]+/.exec(problem)?.[0] ?? '');
  t.deepEqual(names.toSorted(), [
    'DATABASE_URL',
    'S3_ACCESS_KEY_ID',
    'S3_BUCKET',
    'S3_TLS_CA',
    'SVC_LOG_LEVEL',
    'SVC_PORT',
    'SVC_SECRETS_KEY',
    'SVC_STREAM_ADDRESS',
    'SVC_TRUSTED_PROXIES',
    'TEMPORAL_ADDRESS',
    'TEMPORAL_TLS_CLIENT_CERT',
  ]);
  t.true(found.includes('S3_BUCKET is not set: name of the bucket'));
  t.true(found.includes('S3_TLS_CA: must be PEM text, -----BEGIN …, got "/etc/ssl/ca.pem"'));
  t.true(found.some((problem) => problem.endsWith('got "https://temporal:7233"')));
  t.false(found.join().includes('c2hvcnQ='), 'a secret is not shown');
});

test('a value is read from a file, but not from both a variable and a file', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-settings-'));
  t.teardown(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'database-url');
  writeFileSync(path, `${whole.DATABASE_URL}\n`);
  const read = readConfig(databaseSettings, { DATABASE_URL_FILE: path });
  t.is(read.DATABASE_URL, whole.DATABASE_URL);
  const both = { DATABASE_URL_FILE: path, DATABASE_URL: whole.DATABASE_URL };
  t.deepEqual(problems(databaseSettings, both), [
    'both DATABASE_URL and DATABASE_URL_FILE are set: set only one of them',
  ]);
  t.deepEqual(problems(databaseSettings, { DATABASE_URL_FILE: join(folder, 'gone') }), [
    `DATABASE_URL cannot be read from DATABASE_URL_FILE=${join(folder, 'gone')} (ENOENT)`,
  ]);
  writeFileSync(join(folder, 'ca.pem'), '-----BEGIN CERTIFICATE-----\n');
  const tls = { ...whole, TEMPORAL_TLS_SERVER_CA_CERT_PATH: join(folder, 'ca.pem') };
  const access = temporalOf(readConfig(temporalSettings, tls));
  t.is(String(access.tls?.serverRootCACertificate), '-----BEGIN CERTIFICATE-----');
});

test('an empty variable counts as unset', (t) => {
  const config = readApiConfig({ ...whole, SVC_PUBLIC_URL: '', S3_ENDPOINT: '', SVC_PORT: '' });
  t.is(config.SVC_PORT, 8080);
  t.is(config.SVC_PUBLIC_URL, undefined);
});

test('a proxy may be host and port; it speaks http or https', (t) => {
  const read = (HTTP_PROXY: string) => readConfig(proxySettings, { HTTP_PROXY }).HTTP_PROXY;
  t.is(read('127.0.0.1:9'), 'http://127.0.0.1:9');
  t.is(read('proxy.corp:3128'), 'http://proxy.corp:3128');
  t.is(read('https://proxy.corp'), 'https://proxy.corp');
  t.deepEqual(problems(proxySettings, { HTTPS_PROXY: 'socks5://proxy.corp:1080' }), [
    'HTTPS_PROXY: must be a URL http://… or https://…, got "socks5://proxy.corp:1080"',
  ]);
  for (const [given, shown] of [
    ['ftp://user:pa:ss@w/rd@proxy.corp:3128', 'ftp://user:…@proxy.corp:3128'],
    ['user:word@proxy.corp', 'user:…@proxy.corp'],
  ] as const) {
    const said = `HTTPS_PROXY: must be a URL http://… or https://…, got "${shown}"`;
    t.deepEqual(problems(proxySettings, { HTTPS_PROXY: given }), [said]);
  }
  t.is(read('user:word@proxy.corp:3128/'), 'http://user:word@proxy.corp:3128/');
  t.is(read('[::1]:3128'), 'http://[::1]:3128');
  for (const none of ['foo', 'proxy.corp', 'foo:bar', 'foo:99999', ':3128', 'http://']) {
    const said = `HTTPS_PROXY: must be a URL http://… or https://…, got "${none}"`;
    t.deepEqual(problems(proxySettings, { HTTPS_PROXY: none }), [said]);
    t.deepEqual(problems(proxySettings, { https_proxy: none }), [said]);
  }
});

test('names, addresses and folders that cannot be are found before anything starts', (t) => {
  const wrong = {
    ...{ S3_BUCKET: 'Bad Bucket', SVC_TASK_QUEUE: 'a b', TEMPORAL_NAMESPACE: 'a b' },
    ...{ SVC_METRICS_HOST: 'a b', SVC_MODELS_DIR: '/nope', SVC_WORKFLOW_BUNDLE: '/nope.js' },
    ...{ SVC_PACKED_WEIGHTS_DIR: '/nope', SVC_STREAM_HOST: 'a b', SVC_MAX_STREAMS: '0' },
    ...{ SVC_STREAM_PORT: '99999', SVC_STREAM_COMMITS: '1.5' },
  };
  t.deepEqual(problems(streamWorkerSettings, { ...whole, ...wrong }).toSorted(), [
    'S3_BUCKET: must be the name of a bucket: letters, digits, dots and hyphens, got "Bad Bucket"',
    'SVC_MAX_STREAMS: must be at least 1, got "0"',
    'SVC_METRICS_HOST: must be an address or a name of this machine, such as 0.0.0.0, got "a b"',
    'SVC_MODELS_DIR: must be a folder that exists, got "/nope"',
    'SVC_PACKED_WEIGHTS_DIR: must be a folder that exists, got "/nope"',
    'SVC_STREAM_COMMITS: must be a whole number, got "1.5"',
    'SVC_STREAM_HOST: must be an address or a name of this machine, such as 0.0.0.0, got "a b"',
    'SVC_STREAM_PORT: must be at most 65535, got "99999"',
    'SVC_TASK_QUEUE: must have no spaces, got "a b"',
    'SVC_WORKFLOW_BUNDLE: must be a file that exists, got "/nope.js"',
    'TEMPORAL_NAMESPACE: must have no spaces, got "a b"',
  ]);
  const right = {
    ...{ S3_BUCKET: 'arn:aws:s3:eu-west-1:1:accesspoint/calls', SVC_METRICS_HOST: '::' },
    ...{ SVC_STREAM_HOST: 'machine-c.local', TEMPORAL_NAMESPACE: 'calls.a1b2c' },
  };
  t.deepEqual(problems(streamWorkerSettings, { ...whole, ...right }), []);
});

test('a folder for temporary recordings exists', (t) => {
  const worker = (SVC_TEMPORARY_DIR: string) =>
    problems(workerSettings, { ...whole, SVC_TEMPORARY_DIR });
  t.deepEqual(worker(tmpdir()), []);
  t.deepEqual(worker('/nowhere'), [
    'SVC_TEMPORARY_DIR: must be a folder that exists, got "/nowhere"',
  ]);
});

test('a folder of models that has none is told to the workers; an API loads none', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-models-'));
  t.teardown(() => rmSync(folder, { recursive: true }));
  const found = (settings: Settings, SVC_MODELS_DIR = folder) =>
    problems(settings, { ...whole, SVC_MODELS_DIR });
  const said =
    'SVC_MODELS_DIR: must be a folder with bundles of models, as `npm run svc -- models pull` ' +
    `installs them, got "${folder}"`;
  t.deepEqual(found(workerSettings), [said]);
  t.deepEqual(found(streamWorkerSettings), [said]);
  const file = join(import.meta.dirname, 'read-config.test.ts');
  t.deepEqual(found(workerSettings, file), [said.replace(folder, file)]);
  t.deepEqual(found(apiSettings), []);
  t.deepEqual(found(apiSettings, join(folder, 'none')), []);
  mkdirSync(join(folder, 'moonshine-tiny-en'));
  t.deepEqual(found(workerSettings), []);
});

for (const [what, environment, expected] of [
  ['clear text by default', {}, false],
  ['with a key', { TEMPORAL_API_KEY: 'k' }, true],
  ['where it is requested', { TEMPORAL_TLS: 'true' }, true],
  [
    'at an address of Temporal Cloud',
    { TEMPORAL_ADDRESS: 'ours.a1b2c.tmprl.cloud:7233', TEMPORAL_NAMESPACE: 'ours.a1b2c' },
    true,
  ],
] as const) {
  test(`TLS to Temporal: ${what}`, (t) => {
    const config = readConfig(temporalSettings, { ...whole, ...environment });
    t.is(temporalOf(config).tls !== null, expected);
  });
}

test('contradicting Temporal settings are reported', (t) => {
  const cloud = { TEMPORAL_ADDRESS: 'eu-west-1.aws.api.temporal.io:7233', TEMPORAL_TLS: 'false' };
  t.deepEqual(problems(temporalSettings, cloud), [
    'TEMPORAL_TLS is off, but the key, certificate or Temporal Cloud address requires it',
    'TEMPORAL_NAMESPACE must be <name>.<account> in Temporal Cloud',
  ]);
});

for (const [parameters, problem] of [
  ['', null],
  ['?sslmode=require', null],
  ['?sslmode=verify-full', null],
  ['?sslmode=prefer', /sslmode must be one of disable, require, verify-ca, verify-full/],
  ['?sslmode=verify-ca', /needs sslrootcert/],
  ['?sslmode=verify-full&sslrootcert=/nowhere/ca.pem', /does not exist: \/nowhere\/ca.pem/],
] as const) {
  test(`a database URL with "${parameters}" is ${problem ? 'rejected' : 'accepted'}`, (t) => {
    const found = problems(databaseSettings, { DATABASE_URL: whole.DATABASE_URL + parameters });
    t.is(found.length, problem ? 1 : 0);
    if (problem) t.regex(found[0]!, problem);
    t.false(found.join().includes('secret'));
  });
}

test('object storage: virtual-host addressing at AWS, path addressing elsewhere', (t) => {
  const read = (more: Environment) =>
    storageOf(readConfig(storageSettings, { S3_BUCKET: 'b', ...more }));
  t.like(read({}), { endpoint: null, addressing: 'virtual', accessKeyId: null });
  const endpoint = 'https://minio.example';
  t.is(read({ S3_ENDPOINT: endpoint }).addressing, 'path');
  t.is(read({ S3_ENDPOINT: endpoint, S3_ADDRESSING: 'virtual' }).addressing, 'virtual');
  t.is(problems(storageSettings, { S3_BUCKET: 'b', S3_SSE_KMS_KEY_ID: 'k' }).length, 1);
});
