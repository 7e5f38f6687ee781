// What must be in the database and the object storage before the processes start.
import { prepareDatabase } from '../../db/migrate.ts';
import { openObjectStore } from '../../db/object-store.ts';

/** Brings the schema to the latest version and makes the bucket; both do nothing when done. */
export async function prepareStores(
  environment: Readonly<Record<string, string>>,
  databaseOwnerUrl: string | null,
): Promise<void> {
  const databaseUrl = environment.DATABASE_URL ?? '';
  const objects = openObjectStore({
    endpoint: environment.S3_ENDPOINT ?? '',
    region: environment.S3_REGION ?? '',
    accessKeyId: environment.S3_ACCESS_KEY_ID ?? '',
    secretAccessKey: environment.S3_SECRET_ACCESS_KEY ?? '',
    bucket: environment.S3_BUCKET ?? '',
  });
  await Promise.all([prepareDatabase(databaseUrl, databaseOwnerUrl), objects.ensureBucket()]);
  objects.close();
}
