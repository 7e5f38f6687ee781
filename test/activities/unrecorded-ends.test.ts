// The end of a decode that could not be recorded is no crash of the decoder.
import test from 'ava';
import { guardDecode } from '../../activities/guarded-decode.ts';
import type { Db } from '../../db/database.ts';
import { anAccount, testDatabase } from '../support/database.ts';

/** Statements of this kind fail while `away` says so; everything else reaches the database. */
function unreliable(db: Db, away: () => boolean): Db {
  return new Proxy(db, {
    get: (target, name) => {
      if (away() && name === 'deleteFrom') throw new Error('the database is away');
      const member: unknown = Reflect.get(target, name);
      return typeof member === 'function' ? (member.bind(target) as unknown) : member;
    },
  });
}

test('a recording is decoded after any number of outages at the end of its decode', async (t) => {
  const { db } = await testDatabase(t);
  const { organizationId } = await anAccount(db);
  const ref = { organizationId, requestId: 'unlucky', attempt: 1 };
  let [away, decodes] = [false, 0];
  const decode = (outage: boolean): Promise<void> =>
    guardDecode(
      unreliable(db, () => away),
      { ref, contents: ['sha256:a'] },
      async () => {
        decodes += 1;
        away = outage;
      },
    );
  for (let outage = 0; outage < 3; outage += 1) {
    await t.throwsAsync(decode(true), { message: 'the database is away' });
    away = false;
  }
  await decode(false);
  t.is(decodes, 4);
  t.deepEqual(await db.selectFrom('decodeAttempts').selectAll().execute(), []);
  t.deepEqual(await db.selectFrom('quarantinedAudio').selectAll().execute(), []);
});
