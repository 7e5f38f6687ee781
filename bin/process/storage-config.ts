// Where the object storage is, whose credentials are used, and how requests to it look.
import { z } from 'zod';
import type { ObjectStoreOptions } from '../../db/object-store.ts';
import { setting, type Settings, type SettingsOf } from './read-config.ts';

export const storageSettings = {
  shape: {
    S3_BUCKET: setting(z.string(), { description: 'the bucket' }),
    S3_ENDPOINT: setting(z.url({ protocol: /^https?$/ }).optional(), {
      description: 'address of the storage; without it, that of AWS in `S3_REGION`',
    }),
    S3_REGION: setting(z.string().default('us-east-1'), { description: 'region of the bucket' }),
    S3_ACCESS_KEY_ID: setting(z.string().optional(), {
      description:
        "with its secret a fixed key; without both, AWS's chain: variables, profiles, web " +
        'identity (IRSA), the identity of a pod or a machine',
      secret: true,
    }),
    S3_SECRET_ACCESS_KEY: setting(z.string().optional(), {
      description: 'secret of the fixed key',
      secret: true,
    }),
    S3_ADDRESSING: setting(z.enum(['path', 'virtual']).optional(), {
      description:
        'where the bucket stands: in the path, or before the host; `path` with `S3_ENDPOINT`',
    }),
    S3_SSE: setting(z.enum(['AES256', 'aws:kms']).optional(), {
      description: 'server-side encryption to ask for with every object',
    }),
    S3_SSE_KMS_KEY_ID: setting(z.string().optional(), { description: 'its key, with `aws:kms`' }),
    S3_TLS_CA: setting(z.string().optional(), {
      description: 'authority (PEM) that has signed for the storage, where no public one has',
    }),
    SVC_S3_PUBLIC_ENDPOINT: setting(z.url({ protocol: /^https?$/ }).optional(), {
      description: 'where callers reach the storage for presigned uploads, if elsewhere',
    }),
  },
  rules: [
    (given) =>
      Boolean(given.S3_ACCESS_KEY_ID) === Boolean(given.S3_SECRET_ACCESS_KEY)
        ? null
        : 'S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY go together: set both or none',
    (given) =>
      given.S3_SSE_KMS_KEY_ID && given.S3_SSE !== 'aws:kms'
        ? 'S3_SSE_KMS_KEY_ID goes with S3_SSE=aws:kms'
        : null,
  ],
} satisfies Settings;

/** Variables that every program knows, in both cases. */
export const proxySettings = {
  shape: {
    HTTPS_PROXY: setting(z.url().optional(), {
      description: 'proxy for object storage over https, and for webhooks to the internet',
      alias: 'https_proxy',
    }),
    HTTP_PROXY: setting(z.url().optional(), {
      description: 'proxy for object storage over http',
      alias: 'http_proxy',
    }),
    NO_PROXY: setting(z.string().optional(), {
      description: 'hosts of object storage that are reached without a proxy, by commas',
      alias: 'no_proxy',
    }),
  },
  rules: [],
} satisfies Settings;

type Storage = SettingsOf<typeof storageSettings> & Partial<SettingsOf<typeof proxySettings>>;

/** The object storage that the variables name. */
export function storageOf(config: Storage): ObjectStoreOptions {
  const { HTTPS_PROXY, HTTP_PROXY, NO_PROXY } = config;
  return {
    bucket: config.S3_BUCKET,
    endpoint: config.S3_ENDPOINT ?? null,
    publicEndpoint: config.SVC_S3_PUBLIC_ENDPOINT ?? null,
    region: config.S3_REGION,
    accessKeyId: config.S3_ACCESS_KEY_ID ?? null,
    secretAccessKey: config.S3_SECRET_ACCESS_KEY ?? null,
    addressing: config.S3_ADDRESSING ?? (config.S3_ENDPOINT ? 'path' : 'virtual'),
    encryption: config.S3_SSE
      ? { algorithm: config.S3_SSE, kmsKeyId: config.S3_SSE_KMS_KEY_ID ?? null }
      : null,
    authority: config.S3_TLS_CA ?? null,
    proxies: { HTTPS_PROXY, HTTP_PROXY, NO_PROXY },
  };
}
