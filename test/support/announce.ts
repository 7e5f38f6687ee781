// Announces a completion without one.
import { sql } from 'kysely';
import { completionNotice } from '../../db/completions.ts';
import type { Db } from '../../db/database.ts';
import type { ClaimRef } from '../../db/request-ref.ts';

export async function announceCompletion(db: Db, ref: ClaimRef): Promise<void> {
  await sql`SELECT ${completionNotice(ref)}`.execute(db);
}
