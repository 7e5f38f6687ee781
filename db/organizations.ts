// Organizations and their terms; every change by an operator leaves an audit row.
import { sql } from 'kysely';
import { unknownOrganization } from './api-keys.ts';
import { writeAudit } from './audit.ts';
import type { Db } from './database.ts';
import { writeEntry } from './ledger.ts';
import { changeOrganization } from './organization-change.ts';
import { newId } from './secrets.ts';
import { planRows, type Plan } from '../models/contract/plans.ts';

/** The terms of an organization's plan. */
export interface Terms {
  readonly plan: Plan;
  /** Plan minutes of a period, in seconds; none for the plan `credits`. */
  readonly allowanceSeconds: number;
  /** Seconds beyond the allowance in a period, for subscriptions only; null without a limit. */
  readonly overageSeconds: number | null;
}

export interface NewOrganization extends Terms {
  readonly name: string;
  readonly actor: string;
}

/** Terms that contradict each other; the message says which. */
export class InvalidTerms extends Error {
  override readonly name = 'InvalidTerms';
}

/** @returns the new organization's id. @throws InvalidTerms */
export function createOrganization(db: Db, options: NewOrganization): Promise<string> {
  const { name, actor, ...terms } = options;
  return db.transaction().execute(async (trx) => {
    const organizationId = newId('org_');
    const row = { id: organizationId, name, ...termColumns(terms) };
    await trx.insertInto('organizations').values(row).execute();
    const details = { name, ...terms };
    await writeAudit(trx, { organizationId, actor, action: 'organization.create', details });
    return organizationId;
  });
}

interface Change {
  readonly organizationId: string;
  readonly actor: string;
}

/**
 * Sets terms that depend on those before, which nobody changes meanwhile. A change of plan starts a
 * new period; other changes apply to the current one.
 * @throws NotFound, InvalidTerms
 */
export function changeTerms(
  db: Db,
  change: Change & { readonly termsAfter: (before: Terms) => Terms },
): Promise<void> {
  const { organizationId, actor, termsAfter } = change;
  return db.transaction().execute(async (trx) => {
    const before = await described(trx)
      .where('id', '=', organizationId)
      .forNoKeyUpdate()
      .executeTakeFirst();
    if (!before) throw unknownOrganization(organizationId);
    const terms = termsAfter(before);
    const anchor = sql<Date>`CASE plan WHEN ${terms.plan} THEN period_anchor ELSE now() END`;
    await trx
      .updateTable('organizations')
      .set({ ...termColumns(terms), periodAnchor: anchor })
      .where('id', '=', organizationId)
      .execute();
    await writeAudit(trx, { organizationId, actor, action: 'plan.set', details: { ...terms } });
  });
}

function termColumns({ plan, allowanceSeconds, overageSeconds }: Terms) {
  const { overage, paysWith } = planRows[plan];
  if (!overage && overageSeconds !== 0) {
    throw new InvalidTerms(`overage is for subscriptions; the plan is ${plan}`);
  }
  if (paysWith === 'credits' && allowanceSeconds !== 0) {
    throw new InvalidTerms('an organization with credits has no plan minutes');
  }
  return { plan, allowanceSeconds, overageSeconds };
}

/**
 * Sets the storage limits of an organization; null resets to those of its plan, and one that is
 * absent stays. @throws NotFound
 */
export function setStorageQuota(
  db: Db,
  { organizationId, actor, ...limits }: Change & Partial<StorageLimits>,
): Promise<void> {
  return changeOrganization(db, {
    ...{ organizationId, actor, action: 'storage.set', details: limits },
    set: {
      ...(limits.bytes !== undefined && { storageBytes: limits.bytes }),
      ...(limits.files !== undefined && { storageFiles: limits.files }),
    },
  });
}

/** null stands for the limit of the plan. */
interface StorageLimits {
  readonly bytes: number | null;
  readonly files: number | null;
}

/** Suspends or resumes; one that was erased begins anew, without keys. @throws NotFound */
export function setSuspended(
  db: Db,
  { organizationId, actor, suspended }: Change & { readonly suspended: boolean },
): Promise<void> {
  const action = suspended ? 'organization.suspend' : 'organization.resume';
  // A version before the mark resumes without removing it: one that is active was not erased.
  const erasedAt = suspended ? sql<Date | null>`CASE WHEN suspended THEN erased_at END` : null;
  const set = { suspended, erasedAt };
  return changeOrganization(db, { organizationId, actor, action, details: {}, set });
}

/** A reference that has added another amount; the message says both. */
export class GrantConflict extends Error {
  override readonly name = 'GrantConflict';
}

interface Grant extends Change {
  /** Millionths of a dollar. */
  readonly microUsd: number;
  /** Adds once, however often it is given. */
  readonly reference?: string | undefined;
}

/** Adds prepaid credits. @returns false when its reference had. @throws NotFound, GrantConflict */
export function grantCredits(db: Db, grant: Grant): Promise<boolean> {
  const { organizationId, actor, microUsd, reference } = grant;
  return db.transaction().execute(async (trx) => {
    // A blank keeps the id apart from those of callers, and another one that of a reference.
    const requestId = reference === undefined ? newId('grant ') : `grant reference ${reference}`;
    const key = { organizationId, requestId, attempt: 0, kind: 'grant' } as const;
    const period = new Date(0);
    if (!(await writeEntry(trx, { ...key, seconds: 0, microUsd, period }))) {
      const before = await trx
        .selectFrom('ledger')
        .select('microusd')
        .where((eb) => eb.and(key))
        .executeTakeFirst();
      if (!before) throw unknownOrganization(organizationId);
      if (before.microusd === microUsd) return false;
      const [had, wanted] = [before.microusd, microUsd].map((all) => (all / 1e6).toFixed(6));
      throw new GrantConflict(`${reference} has added ${had} USD, not ${wanted}`);
    }
    const details = { microUsd, ...(reference !== undefined && { reference }) };
    await writeAudit(trx, { organizationId, actor, action: 'credits.grant', details });
    return true;
  });
}

export interface OrganizationDescription extends Terms {
  readonly organizationId: string;
  readonly name: string;
  readonly suspended: boolean;
  /** Null unless it was erased, and not resumed since. */
  readonly erasedAt: Date | null;
  readonly createdAt: Date;
}

export async function listOrganizations(db: Db): Promise<readonly OrganizationDescription[]> {
  return described(db).orderBy('createdAt').execute();
}

/** @throws NotFound */
export async function describeOrganization(
  db: Db,
  organizationId: string,
): Promise<OrganizationDescription> {
  const row = await described(db).where('id', '=', organizationId).executeTakeFirst();
  if (!row) throw unknownOrganization(organizationId);
  return row;
}

function described(db: Db) {
  return db
    .selectFrom('organizations')
    .select(['id as organizationId', 'name', 'plan', 'suspended', 'erasedAt', 'createdAt'])
    .select(['allowanceSeconds', 'overageSeconds']);
}
