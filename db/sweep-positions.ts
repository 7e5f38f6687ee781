// Where the sweeper goes on, by the name of what it goes through.
import type { Db } from './database.ts';

/** @returns '' for the beginning */
export async function readPosition(db: Db, name: string): Promise<string> {
  const row = await db
    .selectFrom('sweepPositions')
    .select('position')
    .where('name', '=', name)
    .executeTakeFirst();
  return row?.position ?? '';
}

export async function writePosition(db: Db, name: string, position: string): Promise<void> {
  await db
    .insertInto('sweepPositions')
    .values({ name, position })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ position }))
    .execute();
}
