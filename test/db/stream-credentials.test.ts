// Credentials of streams: their lifetime, whatever is done to the clock.
import { randomUUID } from 'node:crypto';
import test from 'ava';
import { sql } from 'kysely';
import { createCredential, findCredential, useCredential } from '../../db/stream-credentials.ts';
import { anAccount, testDatabase } from '../support/database.ts';

for (const [name, shift, taken] of [
  ['in its minute', '-30 seconds', true],
  ['over', '-61 seconds', false],
  ['with more left than it ever had, because the clock was set back', '1 hour', false],
] as const) {
  test(`a client token that is ${name}: ${taken ? 'accepted' : 'rejected'}`, async (t) => {
    const { db } = await testDatabase(t);
    const { organizationId, keyId } = await anAccount(db);
    const secret = randomUUID();
    const kind = 'client_token';
    const opens = { lifetimeSeconds: 60 };
    await createCredential(db, { kind, secret, organizationId, keyId, opens });
    await sql`UPDATE stream_credentials SET expires_at = expires_at + ${shift}::interval`.execute(
      db,
    );
    t.is((await findCredential(db, kind, secret)) !== null, taken);
    t.is(await useCredential(db, secret), taken);
  });
}
