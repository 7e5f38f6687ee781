// Duplicates: 200 callers with one id over two API processes, with mixed bytes, tasks and keys.
import { setTimeout as sleep } from 'node:timers/promises';
import test from 'ava';
import { createKey } from '../../db/api-keys.ts';
import { noise, tone, toWav } from '../support/speech.ts';
import { postFile, testStack, untilReady, type Answer } from '../support/stack.ts';
import { settledTraces } from '../support/traces.ts';

const path = '/v1/audio/analysis';
const callers = 200;

/** As interface.md asks of clients: what a busy service answers is sent again with the same id. */
async function persist(send: () => Promise<Answer>): Promise<Answer> {
  for (;;) {
    const answer = await send();
    if (![429, 503].includes(answer.status)) return answer;
    await sleep(1_000 * Number(answer.headers.get('Retry-After') ?? 1));
  }
}

test('200 callers with one id: one run, one debit, the right 409 for all others', async (t) => {
  const stack = await testStack(t);
  const apis = [await stack.startApi(), await stack.startApi()];
  await untilReady(stack);
  const { organizationId } = stack.account;
  const second = await createKey(stack.db, { organizationId, mode: 'live', actor: 'test' });
  const [file, other] = [toWav(tone(300, 2)), toWav(noise(2))];
  const variants = [
    { name: 'same', file },
    { name: 'same', file },
    { name: 'same', file },
    { name: 'bytes', file: other },
    { name: 'model', file, fields: { model: 'svc-fourier' } },
    { name: 'options', file, fields: { include_logits: 'true' } },
    { name: 'key', file, key: second.key },
  ] as const;
  const sent = await Promise.all(
    Array.from({ length: callers }, async (_, i) => {
      const { name, ...request } = variants[i % variants.length]!;
      const at = { ...stack, base: apis[i % 2]!.base };
      return {
        name,
        answer: await persist(() => postFile(at, path, { ...request, requestId: 'storm' })),
      };
    }),
  );
  const winners = sent.filter(({ answer }) => answer.status === 200);
  t.is(winners.length, 1);
  const won = winners[0]!.name;
  for (const { name, answer } of sent) {
    if (answer.status === 200) continue;
    const { code } = answer.body.error;
    const wanted =
      name === won ? /^request_(in_progress|already_completed)$/ : /^idempotency_conflict$/;
    t.is(answer.status, 409);
    t.regex(code, wanted, name);
  }
  const { debits, objectKeys } = await settledTraces(stack);
  t.deepEqual([debits, objectKeys], [[2], []]);
});
