// What a proxy asks of an API: one that no worker serves still serves all else, or every API would
// be left out together.
import test from 'ava';
import { readySchema } from '../../../api/health/openapi.ts';
import { testStack } from '../../support/stack.ts';

test('an API without a worker is ready itself, and says what inference lacks', async (t) => {
  const { base } = await testStack(t, { worker: false });
  const all = await fetch(`${base}/readyz`);
  t.is(all.status, 503);
  const own = await fetch(`${base}/readyz?of=api`);
  t.is(own.status, 200);
  const { checks } = readySchema.parse(await own.json());
  t.like(checks, { database: 'ok', object_storage: 'ok', temporal: 'ok', workers: 'failed' });
  t.is((await fetch(`${base}/readyz?of=all`)).status, 400);
});
