// Prepares database and object storage before the processes start.
import { prepareDatabase } from '../../db/migrate.ts';
import { openObjectStore } from '../../db/object-store.ts';
import { readConfig, storageOf, storageSchema } from '../process/service-config.ts';

/** Migrates the schema and creates the bucket; may be repeated. */
export async function prepareStores(
  environment: Readonly<Record<string, string>>,
  databaseOwnerUrl: string | null,
): Promise<void> {
  const databaseUrl = environment.DATABASE_URL ?? '';
  const objects = openObjectStore(storageOf(readConfig(storageSchema, environment)));
  await Promise.all([prepareDatabase(databaseUrl, databaseOwnerUrl), objects.ensureBucket()]);
  objects.close();
}
