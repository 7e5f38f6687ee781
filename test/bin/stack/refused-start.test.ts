// A second start on the data directory of a stack that runs, or is being started.
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import { InvalidSettings } from '../../../bin/settings/read-config.ts';
import { findListeningPorts } from '../../../bin/stack/ports.ts';
import { readSettings } from '../../../bin/settings/stack-settings.ts';
import { AlreadyRunningError, writeRecord } from '../../../bin/stack/stack-record.ts';
import { createStack } from '../../../bin/stack/stack.ts';

test('it is refused, and changes nothing: the database still reaches its files', async (t) => {
  const parent = mkdtempSync(join(tmpdir(), 'svc-refused-'));
  t.teardown(() => rmSync(parent, { recursive: true }));
  const folder = join(parent, 'data');
  mkdirSync(folder);
  // This process stands for the stack that runs.
  writeRecord(folder, { parts: [], environment: {} });
  // As for PostgreSQL's own user (bin/stack/private-folder.ts).
  chmodSync(folder, 0o710);

  const stack = createStack(readSettings({ SVC_DATA_DIR: folder }), () => {});
  await t.throwsAsync(stack.start(), { instanceOf: AlreadyRunningError });
  await stack.stop();

  t.is(statSync(folder).mode & 0o777, 0o710);
  t.deepEqual(readdirSync(folder), ['stack.json'], 'the record of the running stack stays');
});

test('a first start on a folder of other things is refused, and closes nothing', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-refused-'));
  t.teardown(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, 'calls'));
  for (const path of [folder, join(folder, 'calls')]) chmodSync(path, 0o775);
  const stack = createStack(readSettings({ SVC_DATA_DIR: folder }), () => {});
  await t.throwsAsync(stack.start(), { message: /has calls, but no secrets\.json of a stack/ });
  await stack.stop();
  for (const path of [folder, join(folder, 'calls')]) t.is(statSync(path).mode & 0o777, 0o775);
  t.deepEqual(readdirSync(folder), ['calls']);
});

test('of two first starts at once one is refused, and leaves the other its record', async (t) => {
  const parent = mkdtempSync(join(tmpdir(), 'svc-refused-'));
  t.teardown(() => rmSync(parent, { recursive: true }));
  const [api, streams, temporal, ui, metrics] = (await findListeningPorts(5)).map(String);
  // Without a program for Temporal no start goes on to its servers.
  const settings = readSettings({
    SVC_DATA_DIR: join(parent, 'data'),
    ...{ SVC_PORT: api, SVC_STREAM_PORT: streams, SVC_METRICS_PORT: metrics },
    ...{ SVC_TEMPORAL_PORT: temporal, SVC_TEMPORAL_UI_PORT: ui },
    ...{ DATABASE_URL: 'postgres://db/svc', S3_ENDPOINT: 'https://s3.example' },
    ...{ S3_ACCESS_KEY_ID: 'id', S3_SECRET_ACCESS_KEY: 'secret', S3_BUCKET: 'svc' },
  });
  const stacks = [1, 2].map(() => createStack(settings, () => {}));
  const errors = await Promise.all(
    stacks.map((stack) => t.throwsAsync(stack.start(), { instanceOf: Error })),
  );
  const refused = errors.findIndex((error) => error instanceof AlreadyRunningError);
  t.not(refused, -1, errors.map(String).join('; '));
  const [loser, winner] = refused === 0 ? stacks : stacks.toReversed();
  t.false(errors[1 - refused] instanceof AlreadyRunningError, errors.map(String).join('; '));
  await loser!.stop();
  t.true(readdirSync(settings.dataDirectory).includes('stack.json'));
  await winner!.stop();
  t.false(readdirSync(settings.dataDirectory).includes('stack.json'));
});

test.serial(
  'what its processes would refuse is named together, before a server starts',
  async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'svc-refused-'));
    t.teardown(() => rmSync(folder, { recursive: true }));
    const invalid = {
      ...{ SVC_ENGLISH_BUNDLE: 'moonshine-bse-en', SVC_LOG_LEVEL: 'loud' },
      ...{ SVC_DRAIN_SECONDS: 'soon', SVC_STREAM_ADDRESS: 'no port' },
    };
    Object.assign(process.env, invalid);
    t.teardown(() => {
      for (const name of Object.keys(invalid)) delete process.env[name];
    });
    // The ports after that of the metrics are those of the workers.
    const [api, streams, temporal, ui, metrics] = (await findListeningPorts(5)).map(String);
    const settings = readSettings({
      ...{ ...invalid, SVC_DATA_DIR: folder, SVC_TEMPORAL_BINARY: 'no program' },
      ...{ SVC_PORT: api, SVC_STREAM_PORT: streams, SVC_METRICS_PORT: metrics },
      ...{ SVC_TEMPORAL_PORT: temporal, SVC_TEMPORAL_UI_PORT: ui },
      ...{ DATABASE_URL: 'postgres://db/svc', S3_ENDPOINT: 'https://s3.example' },
      ...{ S3_ACCESS_KEY_ID: 'id', S3_SECRET_ACCESS_KEY: 'secret', S3_BUCKET: 'svc' },
    });
    const stack = createStack(settings, () => {});
    const error = await t.throwsAsync(stack.start(), { instanceOf: InvalidSettings });
    const named = error.problems.map((problem) => problem.split(':')[0]!);
    t.deepEqual(named.toSorted(), Object.keys(invalid).toSorted(), error.message);
    await stack.stop();
  },
);
