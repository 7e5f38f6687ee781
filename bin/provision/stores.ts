// Prepares the database and the object storage for the processes.
import { ActionDenied } from '../../db/objects/bucket.ts';
import {
  ensureDatabase,
  ensureServiceRole,
  explainMigration,
  ProvisionError,
  requireLogin,
} from '../../db/database-provision.ts';
import { prepareDatabase } from '../../db/migrate.ts';
import {
  openObjectStore,
  type ObjectStore,
  type ObjectStoreOptions,
} from '../../db/objects/object-store.ts';
import { reasonOf } from '../process/describe-error.ts';
import { createdOrExisting, type Step } from './step.ts';

export interface DatabaseProvision {
  readonly serviceUrl: string;
  /** URL of the role that owns the schema; null when the service's own role does. */
  readonly ownerUrl: string | null;
}

/** Creates database, role, schema and privileges. @throws ProvisionError */
export async function provisionDatabase(provision: DatabaseProvision): Promise<readonly Step[]> {
  const { serviceUrl, ownerUrl } = provision;
  const isNew = await named(ownerOf(provision), ensureDatabase(ownerUrl ?? serviceUrl));
  const { pathname } = new URL(serviceUrl);
  const database = createdOrExisting(isNew, `database ${decodeURIComponent(pathname.slice(1))}`);
  return [database, ...(await provisionRole(provision)), await migrate(provision)];
}

/** Where a step connects, and the variable that says so. */
interface Connected {
  readonly url: string;
  readonly variable: 'DATABASE_OWNER_URL' | 'DATABASE_URL';
}

function ownerOf({ serviceUrl, ownerUrl }: DatabaseProvision): Connected {
  return ownerUrl === null
    ? { url: serviceUrl, variable: 'DATABASE_URL' }
    : { url: ownerUrl, variable: 'DATABASE_OWNER_URL' };
}

/** SQLSTATEs by which a role cannot log in: one that does not exist is told as a wrong password. */
const loginCodes: readonly unknown[] = ['28P01', '28000'];

/** @throws with server, user and variable, as the driver says none of them */
async function named<T>({ url, variable }: Connected, step: Promise<T>): Promise<T> {
  return step.catch((cause: unknown) => {
    if (cause instanceof ProvisionError) throw cause;
    const { hostname, port, pathname, username } = new URL(url);
    const where = `${hostname}:${port || 5432}${pathname} as ${decodeURIComponent(username)}`;
    const denied = loginCodes.includes((cause as { readonly code?: unknown }).code);
    const help =
      denied && variable === 'DATABASE_URL'
        ? '; a role that does not exist yet is created by that of DATABASE_OWNER_URL'
        : '';
    throw new Error(`PostgreSQL at ${where} (${variable}): ${reasonOf(cause)}${help}`, { cause });
  });
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
  const created = await named(
    ownerOf({ serviceUrl, ownerUrl }),
    ensureServiceRole(ownerUrl, serviceUrl),
  );
  await named({ url: serviceUrl, variable: 'DATABASE_URL' }, requireLogin(serviceUrl));
  return [createdOrExisting(created, `role ${role}`)];
}

/** Migrates the schema to this version, unless it is of a newer one. */
export async function migrate({ serviceUrl, ownerUrl }: DatabaseProvision): Promise<Step> {
  const prepared = prepareDatabase(serviceUrl, ownerUrl).catch((error: unknown) => {
    throw explainMigration(error, ownerUrl ?? serviceUrl);
  });
  const { ran, newer } = await named(ownerOf({ serviceUrl, ownerUrl }), prepared);
  if (newer.length > 0) {
    const why = `the schema is of a newer version (${newer.join(', ')}) and stays as it is`;
    return { outcome: 'newer', what: why };
  }
  if (ran.length === 0) return { outcome: 'exists', what: 'schema' };
  return { outcome: 'changed', what: `schema: ${ran.join(', ')}` };
}

/** Creates the bucket and its lifecycle rules. */
export function provisionStorage(options: ObjectStoreOptions): Promise<readonly Step[]> {
  return withStorage(options, async (objects): Promise<readonly Step[]> => {
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
  });
}

export function storageUrl({ endpoint, region }: ObjectStoreOptions): string {
  return endpoint ?? `https://s3.${region}.amazonaws.com`;
}

/** @throws an error that names the storage, its settings and its answer: that to a HEAD is empty */
export async function withStorage<T>(
  options: ObjectStoreOptions,
  work: (objects: ObjectStore) => Promise<T>,
): Promise<T> {
  const objects = openObjectStore(options);
  try {
    return await work(objects);
  } catch (cause) {
    throw new Error(storageProblem(options, cause), { cause });
  } finally {
    objects.close();
  }
}

function storageProblem(options: ObjectStoreOptions, cause: unknown): string {
  const at = `object storage at ${storageUrl(options)}`;
  const bucket = `${at}, bucket ${options.bucket},`;
  if (cause instanceof ActionDenied) return `${bucket} does not allow ${cause.action}`;
  const { $metadata } = cause as { $metadata?: { httpStatusCode?: number } };
  const status = $metadata?.httpStatusCode;
  if (status === undefined) return `no answer of ${at} (S3_ENDPOINT, S3_TLS_CA)`;
  // By these AWS says that the bucket, or the address, is of another region.
  const settings = [301, 400].includes(status) ? 'S3_BUCKET, S3_REGION' : 'S3_BUCKET';
  return `${bucket} answered ${status} (${settings} and its credentials)`;
}
