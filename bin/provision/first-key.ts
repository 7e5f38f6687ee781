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

/** Creates the organization only in a database without any. */
export async function ensureFirstKey(db: Db, name: string): Promise<FirstKey> {
  const known = await listOrganizations(db);
  if (known.length > 0) {
    return { step: createdOrExisting(false, `organizations: ${known.length}`), key: null };
  }
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
