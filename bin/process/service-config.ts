// What every process of the service reads from its environment: the addresses of the others.
import { z } from 'zod';
import { createSecretBox } from '../../db/secret-box.ts';
import { parseNetworks } from '../../api/http/networks.ts';
import { databaseSettings } from './database-config.ts';
import { setting, type Settings } from './read-config.ts';
import { proxySettings, storageSettings } from './storage-config.ts';
import { temporalSettings } from './temporal-config.ts';

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

/** CIDR blocks by commas. */
export const networks = z.string().refine((text) => passes(() => parseNetworks(text)), {
  error: 'takes CIDR blocks by commas, such as 10.0.0.0/8',
});

const taskQueue = setting(z.string().default('svc'), {
  description: 'name of the task queues, for several services in one namespace',
});

/** What set-up needs to know of the service as well. */
export const queueSettings = { shape: { SVC_TASK_QUEUE: taskQueue }, rules: [] } satisfies Settings;

export const serviceSettings = {
  shape: {
    ...databaseSettings.shape,
    ...storageSettings.shape,
    ...temporalSettings.shape,
    ...proxySettings.shape,
    ...queueSettings.shape,
    SVC_WEBHOOK_NETWORKS: setting(networks.default(''), {
      description: 'private networks that webhooks may go to, as CIDR blocks',
    }),
    SVC_SECRETS_KEY: setting(
      z
        .string()
        .refine((text) => passes(() => createSecretBox(text)), {
          error: 'takes base64 of 32 bytes (openssl rand -base64 32), older keys behind commas',
        })
        .optional(),
      {
        description: 'seals the secrets of webhooks: base64 of 32 bytes; without it there are none',
        secret: true,
      },
    ),
    SVC_METRICS_HOST: setting(z.string().default('127.0.0.1'), {
      description: 'where probes and metrics listen',
    }),
    SVC_METRICS_PORT: setting(z.coerce.number().int().min(1).max(65_535).optional(), {
      description: 'port of `/metrics`, `/livez` and `/readyz` for operators; without it, none',
    }),
    SVC_LOG_LEVEL: setting(z.enum(logLevels).default('info'), {
      description: 'least level of what is logged',
    }),
  },
  rules: [...storageSettings.rules, ...temporalSettings.rules],
} satisfies Settings;

function passes(parse: () => unknown): boolean {
  try {
    parse();
    return true;
  } catch {
    return false;
  }
}
