// What a request may name that has no effect: types of empty bodies, types of files, fields.
import test from 'ava';
import { silence, toWav } from '../../support/speech.ts';
import { testStack } from '../../support/stack.ts';

test('an empty body is one whatever its type; a body needs its own', async (t) => {
  const { base, account } = await testStack(t, { worker: false });
  const issue = (type: string, body: string) =>
    fetch(`${base}/v1/client-token`, {
      ...{ method: 'POST', body },
      headers: { Authorization: `Bearer ${account.key}`, 'Content-Type': type },
    });
  t.is((await issue('application/x-www-form-urlencoded', '')).status, 200);
  t.is((await issue('text/plain', '')).status, 200);
  t.is((await issue('application/json', '')).status, 200);
  t.is((await issue('application/x-www-form-urlencoded', 'a=1')).status, 415);
  t.is((await issue('text/plain', '{}')).status, 415);
});
