// The service on bare servers that accept TLS only: set-up, a call, and privileges.
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { chownSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client, Connection } from '@temporalio/client';
import test from 'ava';
import pg from 'pg';
import { findListeningPorts } from '../../bin/stack/ports.ts';
import { connectionString } from '../../db/connection.ts';
import { openObjectStore } from '../../db/objects/object-store.ts';
import { makeCertificates, type Certificates } from '../support/certificates.ts';
import { stopChild } from '../support/stop-child.ts';
import type { Cleanup } from '../support/cleanup.ts';
import { testServers } from '../support/environment.ts';
import { connectPatiently } from '../support/patience.ts';
import { terminateTls } from '../support/tls-terminator.ts';
import { until } from '../support/until.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '..', '..');
const svc = join(root, 'bin', 'svc.ts');
const recording = readFileSync(join(root, 'samples', 'call.mp3'));

/** A development server behind mTLS, without the service's namespace and search attributes. */
async function bareTemporal(t: Cleanup, certificates: Certificates) {
  const [port = 0] = await findListeningPorts(1);
  const args = ['server', 'start-dev', '--headless', '--ip', '127.0.0.1', '--port', String(port)];
  const program = process.env.SVC_TEMPORAL_BINARY ?? '';
  const child = spawn(program, [...args, '--log-level', 'never'], { stdio: 'ignore' });
  t.teardown(() => stopChild(child));
  const connect = () => Connection.connect({ address: `127.0.0.1:${port}` }).catch(() => null);
  await (await until(connect))!.close();
  const secured = await terminateTls(t, { certificates, port, mutual: true });
  return {
    address: `127.0.0.1:${port}`,
    variables: {
      TEMPORAL_ADDRESS: `localhost:${secured}`,
      TEMPORAL_NAMESPACE: 'speech',
      TEMPORAL_TLS_SERVER_CA_CERT_PATH: certificates.authorityPath,
    },
    identity: {
      TEMPORAL_TLS_CLIENT_CERT_PATH: certificates.client.certPath,
      TEMPORAL_TLS_CLIENT_KEY_PATH: certificates.client.keyPath,
    },
  };
}

/** The tests' cluster with TLS enabled, without the service's database and role. */
async function bareDatabase(t: Cleanup, { server, authorityPath }: Certificates) {
  const { databaseOwnerUrl } = testServers();
  const admin = new pg.Client({ connectionString: databaseOwnerUrl });
  await admin.connect();
  const { rows } = await admin.query<{ data_directory: string }>('SHOW data_directory');
  const folder = rows[0]!.data_directory;
  const { uid, gid } = statSync(folder);
  for (const [name, text] of [
    ['test-server.pem', server.cert],
    ['test-server.key', server.key],
  ] as const) {
    writeFileSync(join(folder, name), text, { mode: 0o600 });
    chownSync(join(folder, name), uid, gid);
  }
  const set = { ssl: 'on', ssl_cert_file: 'test-server.pem', ssl_key_file: 'test-server.key' };
  for (const [name, value] of Object.entries(set)) {
    await admin.query(`ALTER SYSTEM SET ${name} = '${value}'`);
  }
  await admin.query('SELECT pg_reload_conf()');
  const name = `svc_${randomBytes(6).toString('hex')}`;
  t.teardown(async () => {
    for (const setting of Object.keys(set)) await admin.query(`ALTER SYSTEM RESET ${setting}`);
    await admin.query('SELECT pg_reload_conf()');
    await admin.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    await admin.query(`DROP ROLE IF EXISTS ${name}`);
    await admin.end();
  });
  const secured = new URL(databaseOwnerUrl);
  secured.hostname = 'localhost';
  secured.pathname = `/${name}`;
  secured.searchParams.set('sslmode', 'verify-full');
  secured.searchParams.set('sslrootcert', authorityPath);
  const service = new URL(secured.href);
  service.username = name;
  service.password = randomBytes(12).toString('hex');
  return { ownerUrl: secured.href, serviceUrl: service.href };
}

async function bareStorage(t: Cleanup, certificates: Certificates) {
  const { s3 } = testServers();
  const bucket = `test-${randomBytes(8).toString('hex')}`;
  const port = await terminateTls(t, { certificates, port: Number(new URL(s3.endpoint).port) });
  t.teardown(async () => {
    const objects = openObjectStore({ ...s3, bucket });
    await objects.delete(await objects.list(''));
    objects.close();
  });
  return {
    S3_ENDPOINT: `https://localhost:${port}`,
    S3_TLS_CA_FILE: certificates.authorityPath,
    S3_BUCKET: bucket,
    AWS_ACCESS_KEY_ID: s3.accessKeyId,
    AWS_SECRET_ACCESS_KEY: s3.secretAccessKey,
  };
}

function started(t: Cleanup, role: string, env: NodeJS.ProcessEnv): ChildProcess {
  const child = spawn(process.execPath, [svc, role], {
    env: { ...env, SVC_LOG_LEVEL: 'error' },
    stdio: ['ignore', process.stderr, 'inherit'],
  });
  t.teardown(() => stopChild(child));
  return child;
}

async function untilOk(url: string, child: ChildProcess): Promise<void> {
  await until(async () => {
    const response = await fetch(url).catch(() => null);
    if (child.exitCode !== null) throw new Error(`${url}: its process has ended`);
    return response?.ok;
  });
}

test('one command prepares bare servers; the roles then serve a call over TLS', async (t) => {
  const certificates = makeCertificates(t);
  const [temporal, database, storage] = await Promise.all([
    bareTemporal(t, certificates),
    bareDatabase(t, certificates),
    bareStorage(t, certificates),
  ]);
  const folder = mkdtempSync(join(tmpdir(), 'svc-setup-'));
  t.teardown(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, 'database-url'), database.serviceUrl);
  const strange = {
    ...process.env,
    ...storage,
    ...temporal.variables,
    DATABASE_URL_FILE: join(folder, 'database-url'),
    SVC_MODELS_DIR: testServers().modelsDirectory,
  };
  const env = { ...strange, ...temporal.identity };
  const owner = { DATABASE_OWNER_URL: database.ownerUrl };
  const setUp = (variables: NodeJS.ProcessEnv): Promise<{ stdout: string }> =>
    run(process.execPath, [svc, 'setup', '--key-file', join(folder, 'key')], { env: variables });

  await t.throwsAsync(setUp({ ...strange, ...owner }), undefined, 'Temporal wants a certificate');
  const { stdout } = await setUp({ ...env, ...owner });
  t.regex(stdout, /^created +namespace speech$/m);
  t.regex(stdout, /^created +search attributes SvcOrganization, /m);
  t.regex(stdout, /^created +schedule svc-sweep$/m);
  t.regex(stdout, /^created +organization org_/m);
  const again = (await setUp({ ...env, ...owner })).stdout.trim().split('\n');
  const outcomes = new Set(again.map((line) => line.split(' ')[0] ?? ''));
  t.deepEqual([...outcomes].toSorted(), expected(again));

  const [port, metrics, workerMetrics] = (await findListeningPorts(3)).map(String);
  const worker = started(t, 'worker', {
    ...env,
    SVC_INFERENCE_PROCESSES: '1',
    SVC_METRICS_PORT: workerMetrics,
  });
  const api = started(t, 'api', {
    ...env,
    SVC_PORT: port,
    SVC_METRICS_PORT: metrics,
    SVC_TRUSTED_PROXIES: '127.0.0.0/8',
  });
  await untilOk(`http://127.0.0.1:${workerMetrics}/readyz`, worker);
  await untilOk(`http://127.0.0.1:${metrics}/readyz`, api);

  const key = readFileSync(join(folder, 'key'), 'utf8').trim();
  const headers = { Authorization: `Bearer ${key}` };
  const form = new FormData();
  form.set('file', new Blob([new Uint8Array(recording)]), 'call.mp3');
  const base = `http://127.0.0.1:${port}`;
  const answer = await fetch(`${base}/v1/audio/transcriptions`, {
    ...{ method: 'POST', headers, body: form },
  });
  t.is(answer.status, 200, await answer.clone().text());
  t.regex(((await answer.json()) as { text: string }).text, /customer service/);

  const behindProxy = { 'X-Forwarded-Proto': 'https', 'X-Forwarded-Host': 'speech.example' };
  const token = await fetch(`${base}/v1/client-token`, {
    ...{ method: 'POST', headers: { ...headers, ...behindProxy } },
  });
  t.regex(((await token.json()) as { url: string }).url, /^wss:\/\/speech\.example\/v1\//);

  const connection = await connectPatiently(temporal.address);
  t.teardown(() => connection.close());
  const { workflow } = new Client({ connection, namespace: 'speech' });
  await until(async () => (await workflow.count('SvcTask = "transcription"')).count >= 1);

  const service = new pg.Client({ connectionString: connectionString(database.serviceUrl) });
  await service.connect();
  t.teardown(() => service.end());
  const { rows } = await service.query(
    'SELECT bool_and(s.ssl) AS ssl, count(*) > 1 AS several FROM pg_stat_ssl s ' +
      'JOIN pg_stat_activity USING (pid) WHERE datname = current_database()',
  );
  t.deepEqual(rows, [{ ssl: true, several: true }]);
  await t.throwsAsync(service.query('CREATE TABLE mine (id int)'), { message: /permission/ });
});

/** Everything exists; a gateway over a folder does not support lifecycle rules. */
function expected(lines: readonly string[]): readonly string[] {
  const unsupported = lines.some((line) => /^skipped +lifecycle rules/.test(line));
  return unsupported ? ['exists', 'skipped'] : ['exists'];
}
