// The first organization and its key, so that somebody can call the service.
import { createKey } from '../../db/api-keys.ts';
import type { Db } from '../../db/database.ts';
import { createOrganization, listOrganizations } from '../../db/organizations.ts';
import { operator } from '../process/operator.ts';
import { madeOrThere, type Step } from './step.ts';

export interface FirstKey {
  readonly step: Step;
  /** Shown once; null where organizations are there already. */
  readonly key: string | null;
}

/** Makes the organization only in a database that has none. */
export async function ensureFirstKey(db: Db, name: string): Promise<FirstKey> {
  const known = await listOrganizations(db);
  if (known.length > 0) {
    return { step: madeOrThere(false, `organizations: ${known.length}`), key: null };
  }
  const actor = operator();
  const organizationId = await createOrganization(db, {
    name,
    plan: 'subscription',
    allowanceSeconds: 0,
    // Whoever runs the service for themselves has no allowance to run out of.
    overageSeconds: null,
    actor,
  });
  const { key } = await createKey(db, { organizationId, mode: 'live', name: 'first', actor });
  return { step: madeOrThere(true, `organization ${organizationId} (${name}) and its key`), key };
}
