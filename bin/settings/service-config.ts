// Settings of every process of the service.
import { z } from 'zod';
import { createSecretBox } from '../../db/secret-box.ts';
import { parseNetworks } from '../../api/http/networks.ts';
import { checkAssignments, parseAssignments } from '../../models/bundles/assignments.ts';
import type { BundlesInUse } from '../../models/bundles/catalog.ts';
import { readManifests } from '../../models/bundles/installed.ts';
import { defaultEnglishBundle, englishBundles } from '../../models/bundles/english-bundles.ts';
import { defaultModelsDirectory } from '../setup/directories.mjs';
import { databaseSettings } from './database-config.ts';
import {
  listenHost,
  nameWithoutSpaces,
  portNumber,
  setting,
  type Environment,
  type Settings,
  type SettingsOf,
} from './read-config.ts';
import { proxySettings, storageSettings } from './storage-config.ts';
import { temporalSettings } from './temporal-config.ts';

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

/** CIDR blocks separated by commas. */
export const networks = z.string().refine((text) => passes(() => parseNetworks(text)), {
  error: 'must be CIDR blocks separated by commas, such as 10.0.0.0/8',
});

const taskQueue = setting(nameWithoutSpaces.default('svc'), {
  description: 'prefix of the task queues; differs between services in one namespace',
});

/** Settings that set-up shares with the processes. */
export const queueSettings = { shape: { SVC_TASK_QUEUE: taskQueue }, rules: [] } satisfies Settings;

/** What is assigned is installed, and able to do it. */
function assignmentRule({ SVC_ASSIGNMENTS, SVC_MODELS_DIR }: Environment): string | null {
  if (!SVC_ASSIGNMENTS) return null;
  try {
    const directory = SVC_MODELS_DIR || defaultModelsDirectory(process.env);
    checkAssignments(parseAssignments(SVC_ASSIGNMENTS), readManifests(directory));
    return null;
  } catch (error) {
    return `SVC_ASSIGNMENTS: ${(error as Error).message}`;
  }
}

export const secretsSettings = {
  shape: {
    SVC_SECRETS_KEY: setting(
      z
        .string()
        .refine((text) => passes(() => createSecretBox(text)), {
          error:
            'must be base64 of 32 bytes (openssl rand -base64 32); older keys follow after commas',
        })
        .optional(),
      {
        description:
          'encrypts secrets of webhooks and credentials of sources: base64 of 32 bytes; without ' +
          'it there are none',
        secret: true,
      },
    ),
  },
  rules: [],
} satisfies Settings;

/** Which bundles a process loads, and from where. */
export const modelSettings = {
  shape: {
    SVC_ENGLISH_BUNDLE: setting(z.enum(englishBundles).default(defaultEnglishBundle), {
      description: `bundle that recognises English: ${englishBundles.join(' or ')}`,
    }),
    SVC_MODELS_DIR: setting(z.string().default(defaultModelsDirectory(process.env)), {
      description: 'folder of the models; default: `models` in the cache',
    }),
    SVC_ASSIGNMENTS: setting(z.string().default(''), {
      description:
        "bundles in the place of the catalog's, as `model.part=bundle`, separated by commas; " +
        'parts: `recognition`, `otherLanguages`, `transcription`',
    }),
  },
  rules: [assignmentRule],
} satisfies Settings;

export const serviceSettings = {
  shape: {
    ...databaseSettings.shape,
    ...storageSettings.shape,
    ...temporalSettings.shape,
    ...proxySettings.shape,
    ...queueSettings.shape,
    SVC_WEBHOOK_NETWORKS: setting(networks.default(''), {
      description: 'private networks that webhooks may be sent to, as CIDR blocks',
    }),
    SVC_SOURCE_NETWORKS: setting(networks.default(''), {
      description:
        'private networks that recordings may be fetched from, as CIDR blocks; also over http',
    }),
    ...secretsSettings.shape,
    SVC_METRICS_HOST: setting(listenHost.default('127.0.0.1'), {
      description: 'address that probes and metrics listen on',
    }),
    SVC_METRICS_PORT: setting(portNumber({ min: 1 }).optional(), {
      description: 'port of `/metrics`, `/livez` and `/readyz` for operators; disabled without it',
    }),
    ...modelSettings.shape,
    SVC_LOG_LEVEL: setting(z.enum(logLevels).default('info'), {
      description: 'minimum level of log lines',
    }),
  },
  rules: [...storageSettings.rules, ...temporalSettings.rules, ...modelSettings.rules],
} satisfies Settings;

/** What the settings choose among the installed bundles. */
export function bundlesOf(config: SettingsOf<typeof serviceSettings>): BundlesInUse {
  return {
    english: config.SVC_ENGLISH_BUNDLE,
    assignments: parseAssignments(config.SVC_ASSIGNMENTS),
    manifests: readManifests(config.SVC_MODELS_DIR),
  };
}

function passes(parse: () => unknown): boolean {
  try {
    parse();
    return true;
  } catch {
    return false;
  }
}
