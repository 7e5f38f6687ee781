// Access to models that need approval: a rejection lasts a day, then it may be requested again.
import test from 'ava';
import { sql } from 'kysely';
import { accessState, decideAccess, requestAccess } from '../../db/model-access.ts';
import { anAccount, testDatabase } from '../support/database.ts';

for (const status of ['denied', 'revoked'] as const) {
  test(`what is ${status} may be requested again after a day, and is pending then`, async (t) => {
    const { db } = await testDatabase(t);
    const { organizationId } = await anAccount(db);
    const owned = { organizationId, model: 'svc-resonance-2' };
    const request = (useCase: string) => requestAccess(db, { ...owned, useCase, actor: 'owner' });
    const setAge = (age: string) =>
      sql`UPDATE model_access SET updated_at = now() - ${age}::interval`.execute(db);
    const stored = async () => {
      const row = db.selectFrom('modelAccess').select(['status', 'useCase']);
      return row.executeTakeFirstOrThrow();
    };
    t.like(await request('first'), { state: 'pending', requested: true });
    await decideAccess(db, { ...owned, status, actor: 'operator' });
    await setAge('23 hours');
    const early = await request('early');
    t.like(early, { state: status, requested: false });
    t.true(early.waitSeconds! > 3_500 && early.waitSeconds! <= 3_600);
    t.deepEqual(await stored(), { status, useCase: 'first' });
    await setAge('25 hours');
    const pending = { state: 'pending', waitSeconds: null } as const;
    t.deepEqual(await request('second'), { ...pending, requested: true });
    t.is(await accessState(db, organizationId, owned.model), 'pending');
    t.deepEqual(await stored(), { status: 'pending', useCase: 'second' });
    t.deepEqual(await request('third'), { ...pending, requested: false });
    t.deepEqual(await stored(), { status: 'pending', useCase: 'second' });
  });
}
