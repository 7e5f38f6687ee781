// A database as it is after a year: hundreds of thousands of rows, made by the server itself.
import pg from 'pg';
import type { Cleanup } from './cleanup.ts';
import { testDatabase, type TestDatabase } from './database.ts';

/** Ids in the shape of the service's own, by number. */
export const largeIds = {
  organization: (i: number): string => `org_${hex(i)}`,
  key: (i: number): string => `key_${hex(i)}`,
  batch: (i: number): string => `batch_${hex(i)}`,
  file: (i: number): string => `file-${hex(i)}`,
};

function hex(i: number): string {
  return i.toString(16).padStart(24, '0');
}

const id = (prefix: string, i: string): string => `'${prefix}' || lpad(to_hex(${i}), 24, '0')`;
/** Half of everything is the first organization's. */
const owner = id('org_', 'CASE WHEN i % 2 = 0 THEN 0 ELSE i % 400 END');
const key = id('key_', 'CASE WHEN i % 2 = 0 THEN 0 ELSE i % 400 END');
const ages = (days: number): string => `now() - (i % ${days * 1_440}) * interval '1 minute'`;

const rows: readonly string[] = [
  `INSERT INTO organizations (id, name, plan, allowance_seconds)
    SELECT ${id('org_', 'i')}, 'o', 'subscription', 1000000000 FROM generate_series(0, 399) AS i`,
  `INSERT INTO api_keys (id, organization_id, prefix, secret_hash)
    SELECT ${id('key_', 'i')}, ${id('org_', 'i % 400')},
      'svc_live_' || lpad(to_hex(i), 16, '0'), sha256(i::text::bytea)
    FROM generate_series(0, 19999) AS i`,
  // Most have ended within a year, a few are under way.
  `INSERT INTO requests (organization_id, request_id, fingerprint, key_id, task, model, state,
      upload_key, billable_seconds, created_at, updated_at)
    SELECT ${owner}, 'r' || i, 'f', ${key}, 'emotion', 'svc-resonance',
      CASE WHEN i % 3000 = 0 THEN 'running' WHEN i % 50 = 0 THEN 'failed' ELSE 'completed' END,
      'uploads/' || i, 10, ${ages(405)}, ${ages(405)}
    FROM generate_series(1, 300000) AS i`,
  `INSERT INTO ledger (organization_id, request_id, attempt, kind, seconds, microusd, period,
      created_at)
    SELECT ${owner}, 'r' || i, 1, 'debit', 10, 1000, now(), ${ages(405)}
    FROM generate_series(1, 300000) AS i`,
  `INSERT INTO objects (key, organization_id, kind, created_at)
    SELECT 'uploads/' || i, ${owner}, CASE WHEN i % 100 = 0 THEN 'upload' ELSE 'file' END,
      ${ages(1)}
    FROM generate_series(1, 100000) AS i`,
  `INSERT INTO files (id, organization_id, object_key, filename, container, bytes, created_at,
      expires_at)
    SELECT ${id('file-', 'i')}, ${owner}, 'uploads/' || i, 'x', 'wav', 1000, ${ages(30)},
      ${ages(30)} + interval '30 days'
    FROM generate_series(1, 100000) AS i`,
  // The first has ten thousand items and is under way.
  `INSERT INTO batches (id, organization_id, key_id, task, model, options, metadata, status, total,
      bytes, ended_at, created_at, expires_at)
    SELECT ${id('batch_', 'i')}, ${owner}, ${key}, 'emotion', 'svc-resonance', '{}', '{}',
      CASE i WHEN 0 THEN 'in_progress' ELSE 'completed' END,
      CASE i WHEN 0 THEN 10000 ELSE 5 END, 1000,
      CASE i WHEN 0 THEN NULL ELSE ${ages(30)} END, ${ages(30)}, ${ages(30)} + interval '30 days'
    FROM generate_series(0, 9999) AS i`,
  `INSERT INTO batch_items (batch_id, position, custom_id, metadata, file_id, object_key, container,
      bytes)
    SELECT ${id('batch_', 'batch')}, i, 'item-' || i, '{}', ${id('file-', 'i + 1')},
      'uploads/' || i + 1, 'wav', 1000
    FROM generate_series(0, 9999) AS batch,
      generate_series(0, CASE batch WHEN 0 THEN 9999 ELSE 4 END) AS i`,
  `INSERT INTO requests (organization_id, request_id, fingerprint, key_id, task, model, state,
      upload_key, billable_seconds, upload_bytes, batch_id)
    SELECT batches.organization_id, batch_id || ' ' || position, 'batch', key_id, 'emotion',
      'svc-resonance', CASE WHEN position % 500 = 0 THEN 'failed' ELSE 'completed' END, object_key,
      10, 1000, batch_id
    FROM batch_items JOIN batches ON batches.id = batch_id WHERE position < 9000`,
  `INSERT INTO prepared_sessions (organization_id, session_id, key_id, token_hash, slots,
      capacity_seconds, expires_at, closed_at)
    SELECT ${owner}, 's' || i, ${key}, sha256(i::text::bytea), 32, 960, ${ages(31)},
      CASE WHEN i % 1000 = 0 THEN NULL ELSE ${ages(31)} END
    FROM generate_series(1, 30000) AS i`,
  `INSERT INTO stream_credentials (hash, kind, organization_id, key_id, expires_at, session_id)
    SELECT sha256(i::text::bytea), 'client_token', ${owner}, ${key}, ${ages(1)},
      CASE WHEN i % 2 = 0 THEN 's' || i END
    FROM generate_series(1, 30000) AS i`,
  `INSERT INTO upload_tombstones (key, organization_id, bytes, expires_at, swept_at)
    SELECT 'uploads/gone-' || i, ${owner}, 1000, now() + interval '1 hour', ${ages(1)}
    FROM generate_series(1, 20000) AS i`,
  `INSERT INTO audit (organization_id, actor, action, details)
    SELECT ${owner}, 'operator:x', 'key.create', '{}' FROM generate_series(1, 20000) AS i`,
  `INSERT INTO usage_history
    SELECT ${id('org_', 'i % 400')}, date '2024-01-01' + i / 400, 'svc-resonance', 'emotion',
      1, 1, 1
    FROM generate_series(1, 20000) AS i`,
];

const withTriggers = ['ledger', 'files', 'batches', 'upload_tombstones'];

/** Filled and analysed; sums that triggers keep are left out. */
export async function largeDatabase(t: Cleanup): Promise<TestDatabase> {
  const database = await testDatabase(t);
  const client = new pg.Client({ connectionString: database.ownerUrl });
  await client.connect();
  try {
    for (const table of withTriggers) {
      await client.query(`ALTER TABLE ${table} DISABLE TRIGGER USER`);
    }
    for (const statement of rows) await client.query(statement);
    for (const table of withTriggers) {
      await client.query(`ALTER TABLE ${table} ENABLE TRIGGER USER`);
    }
    await client.query('VACUUM ANALYZE');
  } finally {
    await client.end();
  }
  return database;
}
