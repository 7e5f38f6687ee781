// The request ids of a session are those of its id as the caller wrote it (contract.md).
import { createHash, randomUUID } from 'node:crypto';
import test from 'ava';
import { createPreparedSessions } from '../../../api/sessions/prepared-sessions.ts';
import { findAccountByKey } from '../../../db/accounts.ts';
import { ServiceError } from '../../../models/contract/errors.ts';
import { createFairGate } from '../../../models/fairness/fair-gate.ts';
import { anAccount, testDatabase } from '../../support/database.ts';

const published = (id: string, slot: number): string =>
  `rg_${createHash('sha256').update(`spectra2-slot\0${id}\0${slot}`).digest('hex')}`;

test('an id in capitals is the same session, with the request ids of what was sent', async (t) => {
  const { db } = await testDatabase(t);
  const { key } = await anAccount(db);
  const account = (await findAccountByKey(db, key))!;
  const claimed: number[] = [];
  const workflows = {
    start: async () => {},
    claim: async (_: unknown, slot: number) => {
      claimed.push(slot);
      return 'claimed' as const;
    },
  };
  const sessions = createPreparedSessions({
    ...{ db, setUps: createFairGate(4), enabled: true },
    workflows: workflows as never,
  });
  const lower = randomUUID().replace(/^./, 'a');
  for (const id of [lower.toUpperCase(), randomUUID()]) {
    const { token, requestIds } = await sessions.prepare(account, id);
    t.regex(token, /^ss1_[A-Za-z0-9_-]{80,1020}$/);
    t.deepEqual(requestIds.slice(0, 2), [published(id, 0), published(id, 1)]);
    const { slot } = await sessions.claim(account, token, published(id, 1));
    t.deepEqual(slot, { sessionId: id.toLowerCase(), slot: 1 });
  }
  t.deepEqual(claimed, [1, 1]);
  const again = await t.throwsAsync(sessions.prepare(account, lower), { instanceOf: ServiceError });
  t.is(again!.code, 'request_already_completed');
});
