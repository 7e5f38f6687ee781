// `npm start` with wrong settings: all are told together, each by its name, and nothing is created.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';

const root = join(import.meta.dirname, '../../..');

/** @returns the lines of the report, without their indent */
function reported(t: ExecutionContext, variables: Record<string, string>): readonly string[] {
  const parent = mkdtempSync(join(tmpdir(), 'svc-wrong-'));
  t.teardown(() => rmSync(parent, { recursive: true }));
  const dataDirectory = join(parent, 'data');
  // As its own set-up does with the models.
  const { PATH, HOME, SVC_MODELS_DIR } = process.env;
  const { status, stderr } = spawnSync(process.execPath, [join(root, 'bin/stack.ts')], {
    env: { PATH, HOME, SVC_MODELS_DIR, SVC_DATA_DIR: dataDirectory, ...variables },
    encoding: 'utf8',
  });
  t.is(status, 1, stderr);
  t.false(existsSync(dataDirectory), 'nothing is created');
  const [head, ...lines] = stderr.trim().split('\n');
  t.regex(head!, new RegExp(`did not start: ${lines.length} settings? (is|are) invalid:`), stderr);
  return lines.map((line) => line.trim());
}

/** Each of them once, by its name. */
function named(lines: readonly string[]): readonly string[] {
  return lines.map((line) => /^[A-Z\d_]+/.exec(line)?.[0] ?? line).toSorted();
}

test('what the stack would refuse is told with what its processes would', (t) => {
  const wrong = {
    ...{ SVC_ASSIGNMENTS: 'foo', SVC_SECRETS_KEY: 'abc', SVC_PUBLIC_URL: 'ftp://x' },
    ...{ SVC_ENGLISH_BUNDLE: 'foo', SVC_INFERENCE_PROCESSES: '0', SVC_LOG_LEVEL: 'q' },
    ...{ SVC_S3_SERVER: 'foo', SVC_POSTGRES_PORT: 'x', SVC_PORT: '99999', SVC_S3_PORT: '0' },
    ...{ SVC_METRICS_PORT: 'y', SVC_STREAM_PORT: '1.5', SVC_TEMPORAL_BINARY: '/nowhere' },
  };
  const lines = reported(t, wrong);
  t.deepEqual(named(lines), Object.keys(wrong).toSorted());
  t.true(lines.includes('SVC_PORT: must be a port from 1 to 65535, got "99999"'), lines.join('\n'));
  t.false(lines.join().includes('abc'), 'a secret is not printed');
});

test('so are files that cannot be read, clashes of ports and what contradicts another', (t) => {
  const lines = reported(t, {
    ...{
      SVC_PORT: '9000',
      SVC_STREAM_PORT: '9000',
      SVC_S3_PORT: '9001',
      SVC_POSTGRES_PORT: '9001',
    },
    ...{ DATABASE_URL_FILE: '/nowhere', S3_SSE_KMS_KEY_ID: 'key', SVC_ASSIGNMENTS: 'a.b=c' },
    SVC_METRICS_PORT: '65534',
  });
  t.is(lines.length, 6, lines.join('\n'));
  for (const each of [
    /^API \(SVC_PORT\) and streams \(SVC_STREAM_PORT\) have the same port 9000/,
    /^PostgreSQL \(SVC_POSTGRES_PORT\) and S3 gateway \(SVC_S3_PORT\) have the same port 9001/,
    /^DATABASE_URL cannot be read from DATABASE_URL_FILE=\/nowhere/,
    /^S3_SSE_KMS_KEY_ID requires/,
    /^SVC_ASSIGNMENTS: there is no model a/,
    /^SVC_METRICS_PORT must be at most 65533/,
  ])
    t.true(
      lines.some((line) => each.test(line)),
      `${String(each)} in ${lines.join('\n')}`,
    );
});
