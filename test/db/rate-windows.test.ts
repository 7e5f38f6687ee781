// The window of a key's rate limit, also when the clock is set.
import test from 'ava';
import { sql } from 'kysely';
import { countRequest, windowSeconds } from '../../db/rate-windows.ts';
import { testDatabase } from '../support/database.ts';

for (const [name, shift] of [
  ['an hour ahead, because the clock was set back', '1 hour'],
  ['long over', '-1 hour'],
] as const) {
  test(`a window that lies ${name} starts anew`, async (t) => {
    const { db } = await testDatabase(t);
    for (let i = 1; i <= 3; i += 1) t.is((await countRequest(db, 'key')).used, i);
    await sql`UPDATE rate_windows SET began_at = began_at + ${shift}::interval`.execute(db);
    const { used, secondsLeft } = await countRequest(db, 'key');
    t.is(used, 1);
    t.true(secondsLeft >= 1 && secondsLeft <= windowSeconds, `${secondsLeft}`);
    t.is((await countRequest(db, 'key')).used, 2);
  });
}
