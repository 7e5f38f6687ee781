// What the sweeper takes: old objects, but none that an open request has still to read.
import test from 'ava';
import { sql } from 'kysely';
import { workPrefix } from '../../db/object-keys.ts';
import { expiredObjects, registerObject, uploadsOfEndedRequests } from '../../db/object-rows.ts';
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
    const { objects } = await expiredObjects(db, { kind, olderThanSeconds: hour, after: '' });
    t.true(objects.every((each) => each.organizationId === organizationId));
    return objects.map(({ key }) => key);
  };
  t.deepEqual(await expired('upload'), []);
  t.deepEqual(await expired('work'), [ofAnother]);
  t.is((await sweepDelays(db, lifetimes)).overdueSeconds.upload, 0);

  await failRequest(db, ref, { code: 'internal_error', message: 'It failed.', param: null });
  t.deepEqual(await expired('upload'), [uploadKey]);
  t.is((await expired('work')).length, 2);
  t.true((await sweepDelays(db, lifetimes)).overdueSeconds.upload > 24 * hour);
});

test('objects that open requests need hide none of the later ones', async (t) => {
  const { db } = await testDatabase(t);
  const { organizationId, keyId } = await anAccount(db);
  const named = { organizationId, keyId, requestId: 'r', fingerprint: 'f', ratePerMinute: 8_000 };
  const task = { task: 'emotion', model: 'svc-resonance', uploadKey: 'uploads/r' };
  await claimRequest(db, { ...named, ...task });
  // As many as one look examines, each of an open request, and one behind them of none.
  await sql`INSERT INTO requests SELECT (jsonb_populate_record(requests, jsonb_build_object(
    'request_id', 'r' || i, 'upload_key', 'uploads/' || i))).*
    FROM requests, generate_series(1, 5000) AS i`.execute(db);
  await sql`INSERT INTO objects (key, organization_id, kind, created_at)
    SELECT 'uploads/' || i, ${organizationId}, 'upload', now() - interval '3 days'
    FROM generate_series(1, 5000) AS i`.execute(db);
  await registerObject(db, { key: 'uploads/late', organizationId, kind: 'upload' });
  await sql`UPDATE objects SET created_at = now() - interval '1 day'
    WHERE key = 'uploads/late'`.execute(db);
  await sql`UPDATE requests SET updated_at = now() - interval '2 hours'`.execute(db);

  const look = (after: string) =>
    expiredObjects(db, { kind: 'upload', olderThanSeconds: hour, after });
  const first = await look('');
  t.deepEqual(first.objects, []);
  // The row at which it stopped may be gone by then.
  await sql`DELETE FROM objects WHERE key = 'uploads/999'`.execute(db);
  const second = await look(first.next);
  t.deepEqual([second.objects.map(({ key }) => key), second.next], [['uploads/late'], '']);

  const ended = (after: string) => uploadsOfEndedRequests(db, { olderThanSeconds: hour, after });
  await sql`INSERT INTO objects (key, organization_id, kind, created_at)
    SELECT 'uploads/999', ${organizationId}, 'upload', now() - interval '3 days'`.execute(db);
  await sql`UPDATE requests SET upload_key = 'uploads/late', state = 'failed'
    WHERE request_id = 'r'`.execute(db);
  const none = await ended('');
  t.deepEqual(none.objects, []);
  t.deepEqual((await ended(none.next)).objects, second.objects);
});

test('a full page is continued behind its last object; an unknown position is none', async (t) => {
  const { db } = await testDatabase(t);
  const { organizationId } = await anAccount(db);
  await sql`INSERT INTO objects (key, organization_id, kind, created_at)
    SELECT 'uploads/' || lpad(i::text, 4, '0'), ${organizationId}, 'upload',
      now() - interval '1 day'
    FROM generate_series(1, 501) AS i`.execute(db);
  const look = (after: string) =>
    expiredObjects(db, { kind: 'upload', olderThanSeconds: hour, after });
  for (const after of ['', 'uploads/0400', '["", ""]', '{}']) {
    const { objects, next } = await look(after);
    t.is(objects.length, 500, after);
    const rest = await look(next);
    t.deepEqual([rest.objects.map(({ key }) => key), rest.next], [['uploads/0501'], '']);
  }
});
