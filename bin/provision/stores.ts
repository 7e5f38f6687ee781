// What must be in the database and the object storage before the processes start.
import { ensureDatabase, ensureServiceRole, requireLogin } from '../../db/database-provision.ts';
import { prepareDatabase } from '../../db/migrate.ts';
import { openObjectStore, type ObjectStoreOptions } from '../../db/object-store.ts';
import { madeOrThere, type Step } from './step.ts';

export interface DatabaseProvision {
  readonly serviceUrl: string;
  /** Of whoever may change the schema; null: the service's own role does all. */
  readonly ownerUrl: string | null;
}

/** Database, role, schema and rights. @throws ProvisionRefused */
export async function provisionDatabase(provision: DatabaseProvision): Promise<readonly Step[]> {
  const { serviceUrl, ownerUrl } = provision;
  const isNew = await ensureDatabase(ownerUrl ?? serviceUrl);
  const { pathname } = new URL(serviceUrl);
  const database = madeOrThere(isNew, `database ${decodeURIComponent(pathname.slice(1))}`);
  return [database, ...(await provisionRole(provision)), await migrate(provision)];
}

async function provisionRole({
  serviceUrl,
  ownerUrl,
}: DatabaseProvision): Promise<readonly Step[]> {
  const role = decodeURIComponent(new URL(serviceUrl).username);
  if (ownerUrl === null || new URL(ownerUrl).username === new URL(serviceUrl).username) {
    const why = `role with few rights: ${role} owns the schema (DATABASE_OWNER_URL names another)`;
    return [{ outcome: 'skipped', what: why }];
  }
  const made = await ensureServiceRole(ownerUrl, serviceUrl);
  await requireLogin(serviceUrl);
  return [madeOrThere(made, `role ${role}`)];
}

/** The schema alone, as a new version needs it. */
export async function migrate({ serviceUrl, ownerUrl }: DatabaseProvision): Promise<Step> {
  const ran = await prepareDatabase(serviceUrl, ownerUrl);
  if (ran.length === 0) return { outcome: 'there', what: 'schema' };
  return { outcome: 'changed', what: `schema: ${ran.join(', ')}` };
}

/** Bucket and lifecycle rules. */
export async function provisionStorage(options: ObjectStoreOptions): Promise<readonly Step[]> {
  const objects = openObjectStore(options);
  try {
    const isNew = await objects.ensureBucket();
    const change = await objects.ensureLifecycle();
    const what = 'lifecycle rules';
    return [
      madeOrThere(isNew, `bucket ${options.bucket}`),
      change === 'unsupported'
        ? { outcome: 'skipped', what: `${what}: this storage has none, the sweeper does it alone` }
        : madeOrThere(change === 'set', what),
    ];
  } finally {
    objects.close();
  }
}
