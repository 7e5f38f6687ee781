// Embedded servers in a shell whose variables are meant for other servers.
import pg from 'pg';
import test, { type ExecutionContext } from 'ava';
import { emptyVariables, readConfig } from '../../../bin/settings/read-config.ts';
import { temporalOf, temporalSettings } from '../../../bin/settings/temporal-config.ts';
import { testServers } from '../../support/environment.ts';
import { testObjectStore } from '../../support/object-store.ts';

function setVariables(t: ExecutionContext, variables: Readonly<Record<string, string>>): void {
  const before = Object.keys(variables).map((name) => [name, process.env[name]] as const);
  Object.assign(process.env, variables);
  t.teardown(() => {
    for (const [name, value] of before) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  });
}

test.serial('libpq’s variables do not reach the embedded database', async (t) => {
  setVariables(t, {
    ...{ PGHOST: 'db.invalid', PGPORT: '1', PGUSER: 'nobody', PGPASSWORD: 'wrong' },
    ...{ PGDATABASE: 'other', PGSSLMODE: 'verify-full' },
  });
  const client = new pg.Client({ connectionString: testServers().databaseUrl });
  await client.connect();
  t.teardown(() => client.end());
  t.is((await client.query<{ one: number }>('SELECT 1 AS one')).rows[0]!.one, 1);
});

test.serial('AWS’s variables do not reach storage with an address of its own', async (t) => {
  setVariables(t, {
    ...{ AWS_ENDPOINT_URL_S3: 'http://127.0.0.1:1', AWS_PROFILE: 'absent' },
    ...{ AWS_ACCESS_KEY_ID: 'other', AWS_SECRET_ACCESS_KEY: 'other', AWS_SESSION_TOKEN: 'other' },
    ...{ AWS_USE_FIPS_ENDPOINT: 'true', AWS_USE_DUALSTACK_ENDPOINT: 'true' },
  });
  const objects = await testObjectStore(t);
  await objects.putBytes('key', 'text');
  t.is((await objects.getBytes('key')).toString(), 'text');
});

test('an embedded Temporal server is called without key, certificate or TLS', (t) => {
  const shell = {
    ...{ TEMPORAL_API_KEY: 'key', TEMPORAL_TLS: 'true', TEMPORAL_NAMESPACE: 'calls.prod' },
    TEMPORAL_TLS_SERVER_CA_CERT_PATH: '/absent.pem',
  };
  const own = { ...emptyVariables(temporalSettings), TEMPORAL_ADDRESS: '127.0.0.1:7233' };
  const access = temporalOf(readConfig(temporalSettings, { ...shell, ...own }));
  t.deepEqual(access, {
    ...{ address: '127.0.0.1:7233', namespace: 'default' },
    ...{ apiKey: null, tls: null },
  });
});
