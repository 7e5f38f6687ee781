// Access of organizations to models that need approval: states, requests, decisions and their
// audit.
import { sql } from 'kysely';
import { writeAudit } from './audit.ts';
import type { Db } from './database.ts';
import type { AccessStatus } from './tables.ts';

export type AccessState = AccessStatus | 'not_requested';

/** After a denial or a revocation, access may be requested again after this time. */
const repeatAfterSeconds = 24 * 3_600;

export interface AccessRequest {
  readonly state: AccessState;
  /** True when this call created a pending request. */
  readonly requested: boolean;
  /** Seconds until access may be requested again; null when there is no wait. */
  readonly waitSeconds: number | null;
}

export async function accessState(
  db: Db,
  organizationId: string,
  model: string,
): Promise<AccessState> {
  const row = await db
    .selectFrom('modelAccess')
    .select('status')
    .where('organizationId', '=', organizationId)
    .where('model', '=', model)
    .executeTakeFirst();
  return row?.status ?? 'not_requested';
}

export interface AccessRequestInput {
  readonly organizationId: string;
  readonly model: string;
  readonly useCase: string;
  /** Who requests it, for the audit. */
  readonly actor: string;
}

/** Creates a pending request when there is none, or when the last rejection is old enough. */
export async function requestAccess(db: Db, input: AccessRequestInput): Promise<AccessRequest> {
  const { organizationId, model, useCase, actor } = input;
  return db.transaction().execute(async (trx) => {
    const inserted = await trx
      .insertInto('modelAccess')
      .values({ organizationId, model, status: 'pending', useCase })
      .onConflict((conflict) => conflict.doNothing())
      .returning('status')
      .executeTakeFirst();
    if (!inserted) {
      const row = await trx
        .selectFrom('modelAccess')
        .select(['status', sql<number>`extract(epoch FROM now() - updated_at)`.as('age')])
        .where('organizationId', '=', organizationId)
        .where('model', '=', model)
        .forUpdate()
        .executeTakeFirstOrThrow();
      const rejected = row.status === 'denied' || row.status === 'revoked';
      const left = Math.ceil(repeatAfterSeconds - row.age);
      if (!rejected) return { state: row.status, requested: false, waitSeconds: null };
      if (left > 0) return { state: row.status, requested: false, waitSeconds: left };
      await setStatus(trx, input, 'pending');
    }
    await writeAudit(trx, { organizationId, actor, action: 'access.request', details: { model } });
    return { state: 'pending', requested: true, waitSeconds: null };
  });
}

/** An operator's decision, with its audit row. */
export async function decideAccess(
  db: Db,
  decision: {
    readonly organizationId: string;
    readonly model: string;
    readonly status: 'approved' | 'denied' | 'revoked';
    readonly actor: string;
  },
): Promise<void> {
  const { organizationId, model, status, actor } = decision;
  await db.transaction().execute(async (trx) => {
    await trx
      .insertInto('modelAccess')
      .values({ organizationId, model, status, useCase: null })
      .onConflict((conflict) =>
        conflict
          .columns(['organizationId', 'model'])
          .doUpdateSet({ status, updatedAt: sql`now()` }),
      )
      .execute();
    const details = { model, status };
    await writeAudit(trx, { organizationId, actor, action: 'access.decide', details });
  });
}

async function setStatus(
  trx: Db,
  { organizationId, model, useCase }: AccessRequestInput,
  status: AccessStatus,
): Promise<void> {
  await trx
    .updateTable('modelAccess')
    .set({ status, useCase, updatedAt: sql`now()` })
    .where('organizationId', '=', organizationId)
    .where('model', '=', model)
    .execute();
}
