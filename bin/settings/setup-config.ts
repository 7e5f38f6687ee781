// Settings of `svc setup` and `svc migrate`.
import { databaseSettings, databaseUrl } from './database-config.ts';
import { setting, type Settings } from './read-config.ts';
import { queueSettings } from './service-config.ts';
import { proxySettings, storageSettings } from './storage-config.ts';
import { temporalSettings } from './temporal-config.ts';

export const migrateSettings = {
  shape: {
    ...databaseSettings.shape,
    DATABASE_OWNER_URL: setting(databaseUrl.optional(), {
      description:
        'connection URL of the owner of the schema, if the role of `DATABASE_URL` is not',
      secret: true,
    }),
  },
  rules: [],
} satisfies Settings;

export const setupSettings = {
  shape: {
    ...migrateSettings.shape,
    ...storageSettings.shape,
    ...temporalSettings.shape,
    ...proxySettings.shape,
    ...queueSettings.shape,
  },
  rules: [...storageSettings.rules, ...temporalSettings.rules],
} satisfies Settings;
