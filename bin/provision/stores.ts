// Prepares the database and the object storage for the processes.
import { ensureDatabase, ensureServiceRole, requireLogin } from '../../db/database-provision.ts';
import { prepareDatabase } from '../../db/migrate.ts';
import { openObjectStore, type ObjectStoreOptions } from '../../db/object-store.ts';
import { createdOrExisting, type Step } from './step.ts';

export interface DatabaseProvision {
  readonly serviceUrl: string;
  /** URL of the role that owns the schema; null when the service's own role does. */
  readonly ownerUrl: string | null;
}

/** Creates database, role, schema and privileges. @throws ProvisionError */
export async function provisionDatabase(provision: DatabaseProvision): Promise<readonly Step[]> {
  const { serviceUrl, ownerUrl } = provision;
  const isNew = await ensureDatabase(ownerUrl ?? serviceUrl);
  const { pathname } = new URL(serviceUrl);
  const database = createdOrExisting(isNew, `database ${decodeURIComponent(pathname.slice(1))}`);
  return [database, ...(await provisionRole(provision)), await migrate(provision)];
}

async function provisionRole({
  serviceUrl,
  ownerUrl,
}: DatabaseProvision): Promise<readonly Step[]> {
  const role = decodeURIComponent(new URL(serviceUrl).username);
  if (ownerUrl === null || new URL(ownerUrl).username === new URL(serviceUrl).username) {
    const why = `service role: ${role} owns the schema (DATABASE_OWNER_URL separates them)`;
    return [{ outcome: 'skipped', what: why }];
  }
  const created = await ensureServiceRole(ownerUrl, serviceUrl);
  await requireLogin(serviceUrl);
  return [createdOrExisting(created, `role ${role}`)];
}

/** Migrates the schema to this version, unless it is of a newer one. */
export async function migrate({ serviceUrl, ownerUrl }: DatabaseProvision): Promise<Step> {
  const { ran, newer } = await prepareDatabase(serviceUrl, ownerUrl);
  if (newer.length > 0) {
    const why = `the schema is of a newer version (${newer.join(', ')}) and stays as it is`;
    return { outcome: 'newer', what: why };
  }
  if (ran.length === 0) return { outcome: 'exists', what: 'schema' };
  return { outcome: 'changed', what: `schema: ${ran.join(', ')}` };
}

/** Creates the bucket and its lifecycle rules. */
export async function provisionStorage(options: ObjectStoreOptions): Promise<readonly Step[]> {
  const objects = openObjectStore(options);
  try {
    const isNew = await objects.ensureBucket();
    const change = await objects.ensureLifecycle();
    const what = 'lifecycle rules';
    return [
      createdOrExisting(isNew, `bucket ${options.bucket}`),
      change === 'unsupported'
        ? {
            outcome: 'skipped',
            what: `${what}: not supported by this storage, the sweeper suffices`,
          }
        : createdOrExisting(change === 'set', what),
    ];
  } finally {
    objects.close();
  }
}
