// What a proxy asks of an API: one that no worker serves still serves all else, or every API would
// be left out together.
import { setTimeout as sleep } from 'node:timers/promises';
import test from 'ava';
import { createChangeLog, outcomeOf } from '../../../api/health/outcome.ts';
import { readySchema } from '../../../api/health/openapi.ts';
import { describeError } from '../../../bin/process/describe-error.ts';
import { testStack } from '../../support/stack.ts';
import { until } from '../../support/until.ts';

test('an API without a worker is ready itself, and says what inference lacks', async (t) => {
  const { base } = await testStack(t, { worker: false });
  const all = await fetch(`${base}/readyz`);
  t.is(all.status, 503);
  // On a busy machine a part may take longer than the time that it is given to answer.
  const own = await until(
    async () => {
      const answer = await fetch(`${base}/readyz?of=api`);
      return { status: answer.status, text: await answer.text() };
    },
    ({ text }) => !text.includes('timeout'),
  );
  t.is(own.status, 200);
  const { checks } = readySchema.parse(JSON.parse(own.text));
  t.like(checks, { database: 'ok', object_storage: 'ok', temporal: 'ok', workers: 'failed' });
  t.is((await fetch(`${base}/readyz?of=all`)).status, 400);
});

test('what fails is logged with its cause, once per change, and never said', async (t) => {
  const lines: string[] = [];
  const log = (facts: { check?: string; err?: Error }, text = ''): void => {
    lines.push(`${facts.check} ${text}: ${facts.err?.message ?? ''}`);
  };
  const tell = createChangeLog({ info: log, warn: log });
  const rejected = (message: string, code: string) =>
    outcomeOf(Promise.reject(Object.assign(new Error(message), { code })), 1_000);
  const fine = await outcomeOf(Promise.resolve(), 1_000);
  tell({ database: fine });
  for (const port of [1, 2, 3]) {
    const outcome = await rejected(`connect ECONNREFUSED 10.0.0.1:${port}`, 'ECONNREFUSED');
    t.is(outcome.state, 'failed');
    tell({ database: outcome });
  }
  tell({ database: await rejected('password authentication failed for user "a"', '28P01') });
  tell({ database: await outcomeOf(sleep(60_000, null, { ref: false }), 1) });
  tell({ database: fine });
  tell({ database: fine });
  t.deepEqual(lines, [
    'database not ready: connect ECONNREFUSED 10.0.0.1:1',
    'database not ready: password authentication failed for user "a"',
    'database not ready: ',
    'database ready again: ',
  ]);
});

test('the answer of a storage that says nothing is logged by its status', (t) => {
  const error = Object.assign(new Error('UnknownError'), { $metadata: { httpStatusCode: 403 } });
  t.like(describeError(error), { message: 'UnknownError', status: 403 });
});
