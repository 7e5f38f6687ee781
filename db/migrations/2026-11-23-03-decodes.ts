// Decoding that gave nothing: attempts whose end nobody saw, time spent, files not tried again.
import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  // A row is written before a decode and deleted after it: what is left was lost with its worker.
  `CREATE TABLE decode_attempts (
    organization_id text NOT NULL REFERENCES organizations (id),
    request_id text NOT NULL,
    attempt integer NOT NULL,
    begun integer NOT NULL,
    updated_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (organization_id, request_id, attempt)
  )`,
  `CREATE INDEX decode_attempts_old ON decode_attempts (updated_at)`,
  // \`content\` is sha256: and the hash of a file, or object: and the key of a stored one.
  `CREATE TABLE quarantined_audio (
    organization_id text NOT NULL REFERENCES organizations (id),
    content text NOT NULL,
    error_code text NOT NULL,
    error_message text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (organization_id, content)
  )`,
  `CREATE INDEX quarantined_audio_old ON quarantined_audio (created_at)`,
  `CREATE TABLE failed_decodes (
    organization_id text NOT NULL REFERENCES organizations (id),
    minute timestamptz NOT NULL,
    milliseconds bigint NOT NULL,
    PRIMARY KEY (organization_id, minute)
  )`,
  `CREATE INDEX failed_decodes_old ON failed_decodes (minute)`,
];
