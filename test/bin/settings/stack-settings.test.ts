// The stack's variables: defaults that do not collide, and mistakes that are named.
import test from 'ava';
import { InvalidSettings } from '../../../bin/settings/read-config.ts';
import { readSettings } from '../../../bin/settings/stack-settings.ts';
import { apiPart, streamWorkerPart } from '../../../bin/stack/applications.ts';
import { serviceEnvironment } from '../../../bin/stack/stack.ts';
import { portsOf } from '../../../bin/stack/stack-ports.ts';

test('without variables every part is embedded, on ports of its own', (t) => {
  const { external, ports, host } = readSettings({});
  t.deepEqual(external, {
    ...{ databaseUrl: null, databaseOwnerUrl: null },
    ...{ s3: null, temporal: null },
  });
  t.is(host, '127.0.0.1');
  t.is(ports.api.port, 8080);
  const numbers = Object.values(ports).map(({ port }) => port);
  t.is(new Set(numbers).size, numbers.length);
});

test('an external address replaces its part', (t) => {
  const { external } = readSettings({
    DATABASE_URL: 'postgres://db/svc',
    TEMPORAL_ADDRESS: 'temporal:7233',
    S3_ENDPOINT: 'https://s3',
    S3_ACCESS_KEY_ID: 'id',
    S3_SECRET_ACCESS_KEY: 'secret',
  });
  t.is(external.databaseUrl, 'postgres://db/svc');
  t.deepEqual(external.temporal, { TEMPORAL_ADDRESS: 'temporal:7233' });
  t.is(external.s3?.S3_ENDPOINT, 'https://s3');
});

const secrets = {
  ...{ postgresPassword: '', postgresServicePassword: '', secretsKey: '' },
  ...{ s3AccessKeyId: '', s3SecretAccessKey: '' },
};

test('the stack waits for as long as its API may drain', (t) => {
  const waits = (env: Record<string, string>) => {
    const environment = serviceEnvironment(readSettings(env), secrets);
    return apiPart({ environment, logDirectory: '' }).stopSeconds;
  };
  t.is(waits({}), 30);
  t.is(waits({ SVC_DRAIN_SECONDS: '60' }), 90);
});

test('the stack waits longer than a stream worker takes to end in order', (t) => {
  const environment = serviceEnvironment(readSettings({}), secrets);
  // 20 s for its streams, and 5 to report what they leave.
  t.is(streamWorkerPart({ environment, logDirectory: '' }).stopSeconds, 30);
});

test('the API is told the address of stream workers that the operator names', (t) => {
  const told = (env: Record<string, string>) =>
    serviceEnvironment(readSettings(env), secrets).SVC_STREAM_ADDRESS;
  t.is(told({ SVC_STREAM_PORT: '9000' }), '127.0.0.1:9000');
  t.is(told({ SVC_STREAM_ADDRESS: 'machine-c:8081' }), 'machine-c:8081');
});

for (const port of ['0', '65536', '80.5', 'http']) {
  test(`the port "${port}" is rejected with the name of its variable`, (t) => {
    t.throws(() => readSettings({ SVC_S3_PORT: port }), {
      instanceOf: InvalidSettings,
      message: /SVC_S3_PORT/,
    });
  });
}

test('a port is used once; the three of the metrics count', (t) => {
  const portsFor = (env: Record<string, string>) => portsOf(readSettings(env));
  t.is(portsFor({}).length, 9);
  t.throws(() => portsFor({ SVC_PORT: '9000', SVC_STREAM_PORT: '9000' }), {
    instanceOf: InvalidSettings,
    message: /API \(SVC_PORT\) and streams \(SVC_STREAM_PORT\) have the same port 9000/,
  });
  t.throws(() => portsFor({ SVC_S3_PORT: '9466', SVC_METRICS_PORT: '9464' }), {
    message: /SVC_METRICS_PORT.*SVC_S3_PORT.*9466/,
  });
  t.throws(() => portsFor({ SVC_METRICS_PORT: '65534' }), {
    message: /SVC_METRICS_PORT must be at most 65533, not 65534/,
  });
  // A server that is elsewhere has no port here.
  t.is(portsFor({ SVC_POSTGRES_PORT: '8080', DATABASE_URL: 'postgres://db/svc' }).length, 8);
});

test('a port is written in digits, as those of each process are', (t) => {
  for (const text of ['0', '65536', '0x1f90', '8e3', ' 8080', '8080.5']) {
    const { problems } = t.throws(() => readSettings({ SVC_PORT: text }), {
      instanceOf: InvalidSettings,
    });
    t.deepEqual(problems, [`SVC_PORT: must be a port from 1 to 65535, got "${text}"`]);
  }
});

test('an unknown S3 server is rejected with the names of the known ones', (t) => {
  t.throws(() => readSettings({ SVC_S3_SERVER: 'minio' }), {
    message: /versitygw, seaweedfs.*"minio"/,
  });
});
