// Prepares the three servers, embedded or external, before the service's processes start.
import { openDatabase } from '../../db/database.ts';
import { describeMissing, missingKeys } from '../../db/missing-keys.ts';
import { createSecretBox } from '../../db/secret-box.ts';
import type { SettingsOf } from '../settings/read-config.ts';
import type { setupSettings } from '../settings/setup-config.ts';
import type { secretsSettings } from '../settings/service-config.ts';
import { storageOf } from '../settings/storage-config.ts';
import { temporalOf } from '../settings/temporal-config.ts';
import { provisionDatabase, provisionStorage } from '../provision/stores.ts';
import { defaultRetentionDays, provisionTemporal } from '../provision/temporal.ts';

type StoresConfig = SettingsOf<typeof setupSettings> & SettingsOf<typeof secretsSettings>;

/** Creates what is missing. @returns what the user should know */
export async function prepareStores(
  config: StoresConfig,
  databaseOwnerUrl: string | null,
): Promise<readonly string[]> {
  const { DATABASE_URL: serviceUrl, SVC_TASK_QUEUE: taskQueue } = config;
  const [steps] = await Promise.all([
    provisionDatabase({ serviceUrl, ownerUrl: databaseOwnerUrl }),
    provisionStorage(storageOf(config)),
    provisionTemporal({
      ...{ access: temporalOf(config), taskQueue, retentionDays: defaultRetentionDays },
    }),
  ]);
  const notes = steps.filter(({ outcome }) => outcome === 'newer').map(({ what }) => what);
  const missing = await missingKeysOf(config);
  return missing.length === 0 ? notes : [...notes, `warning: ${describeMissing(missing)}`];
}

async function missingKeysOf(config: StoresConfig): Promise<readonly string[]> {
  const { DATABASE_URL: url, SVC_SECRETS_KEY: keys } = config;
  const db = openDatabase(url, { maxConnections: 1 });
  try {
    return await missingKeys(db, keys ? createSecretBox(keys) : null);
  } finally {
    await db.destroy();
  }
}
