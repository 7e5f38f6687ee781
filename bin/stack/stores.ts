// Prepares the three servers, embedded or external, before the service's processes start.
import type { SettingsOf } from '../settings/read-config.ts';
import type { setupSettings } from '../settings/setup-config.ts';
import { storageOf } from '../settings/storage-config.ts';
import { temporalOf } from '../settings/temporal-config.ts';
import { provisionDatabase, provisionStorage } from '../provision/stores.ts';
import { defaultRetentionDays, provisionTemporal } from '../provision/temporal.ts';

/** Creates what is missing. @returns what the user should know */
export async function prepareStores(
  config: SettingsOf<typeof setupSettings>,
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
  return steps.filter(({ outcome }) => outcome === 'newer').map(({ what }) => what);
}
