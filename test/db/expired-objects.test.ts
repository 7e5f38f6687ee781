// What the sweeper takes: old objects, but none that an open request has still to read.
import test from 'ava';
import { sql } from 'kysely';
import { workPrefix } from '../../db/object-keys.ts';
import { expiredObjects, registerObject } from '../../db/object-rows.ts';
import { claimRequest, failRequest } from '../../db/requests.ts';
import { sweepDelays } from '../../db/upkeep-report.ts';
import { anAccount, testDatabase } from '../support/database.ts';

const hour = 3_600;
const lifetimes = { upload: hour, work: hour, result: hour };

test('what a request has to read is kept until it has ended, however old', async (t) => {
  const { db } = await testDatabase(t);
  const { organizationId, keyId } = await anAccount(db);
  // The database has to hash it as the service does.
  const requestId = "Ünï 'quoted' – 通話";
  const uploadKey = 'uploads/of-it';
  const ref = { organizationId, requestId, attempt: 1 };
  const [work, ofAnother] = [workPrefix(ref), workPrefix({ ...ref, attempt: 2 })];
  const named = { organizationId, keyId, requestId, fingerprint: 'f', ratePerMinute: 8_000 };
  await claimRequest(db, { ...named, task: 'emotion', model: 'svc-resonance', uploadKey });
  await registerObject(db, { key: uploadKey, organizationId, kind: 'upload' });
  await registerObject(db, { key: work, organizationId, kind: 'work' });
  await registerObject(db, { key: ofAnother, organizationId, kind: 'work' });
  await sql`UPDATE objects SET created_at = now() - interval '3 days'`.execute(db);

  const expired = async (kind: 'upload' | 'work') => {
    const found = await expiredObjects(db, { kind, olderThanSeconds: hour, after: '' });
    t.true(found.every((each) => each.organizationId === organizationId));
    return found.map(({ key }) => key);
  };
  t.deepEqual(await expired('upload'), []);
  t.deepEqual(await expired('work'), [ofAnother]);
  t.is((await sweepDelays(db, lifetimes)).overdueSeconds.upload, 0);

  await failRequest(db, ref, { code: 'internal_error', message: 'It failed.', param: null });
  t.deepEqual(await expired('upload'), [uploadKey]);
  t.is((await expired('work')).length, 2);
  t.true((await sweepDelays(db, lifetimes)).overdueSeconds.upload > 24 * hour);
});
