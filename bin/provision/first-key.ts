// Creates the first organization and its key, so that a new service can be called.
import { createKey } from '../../db/api-keys.ts';
import type { Db } from '../../db/database.ts';
import { createOrganization, listOrganizations } from '../../db/organizations.ts';
import { operator } from '../process/operator.ts';
import { createdOrExisting, type Step } from './step.ts';

export interface FirstKey {
  readonly step: Step;
  /** Shown once; null when organizations already exist. */
  readonly key: string | null;
}

/**
 * Creates the organization only in a database without any.
 * @param beforeCreation an error of it leaves the database as it is
 */
export async function ensureFirstKey(
  db: Db,
  name: string,
  beforeCreation: () => void,
): Promise<FirstKey> {
  const known = await listOrganizations(db);
  if (known.length > 0) {
    const what = `organizations: ${known.length} (svc admin key create ORGANIZATION: another key)`;
    return { step: createdOrExisting(false, what), key: null };
  }
  beforeCreation();
  const actor = operator();
  const organizationId = await createOrganization(db, {
    name,
    plan: 'subscription',
    allowanceSeconds: 0,
    // An operator's own organization has no allowance that could run out.
    overageSeconds: null,
    actor,
  });
  const { key } = await createKey(db, { organizationId, mode: 'live', name: 'first', actor });
  return {
    step: createdOrExisting(true, `organization ${organizationId} (${name}) and its key`),
    key,
  };
}
