// Settings of object storage: address, credentials, addressing, encryption, proxies.
import { z } from 'zod';
import type { ObjectStoreOptions } from '../../db/objects/object-store.ts';
import { pemText, setting, type Settings, type SettingsOf } from './read-config.ts';

/** Storages differ in what else they take; AWS also has access points by their ARN. */
const bucketName = z
  .string()
  .regex(
    /^(arn:\S+|[A-Za-z0-9][A-Za-z0-9._-]*)$/,
    'must be the name of a bucket: letters, digits, dots and hyphens',
  );

export const storageSettings = {
  shape: {
    S3_BUCKET: setting(bucketName, { description: 'name of the bucket' }),
    S3_ENDPOINT: setting(z.url({ protocol: /^https?$/ }).optional(), {
      description: 'URL of the storage; default: AWS in `S3_REGION`',
    }),
    S3_REGION: setting(z.string().default('us-east-1'), { description: 'region of the bucket' }),
    S3_ACCESS_KEY_ID: setting(z.string().optional(), {
      description:
        'id of a fixed key; without id and secret, the AWS credential chain: variables, ' +
        'profiles, web identity (IRSA), pod or instance identity',
      secret: true,
    }),
    S3_SECRET_ACCESS_KEY: setting(z.string().optional(), {
      description: 'secret of the fixed key',
      secret: true,
    }),
    S3_ADDRESSING: setting(z.enum(['path', 'virtual']).optional(), {
      description:
        'addressing of the bucket, by `path` or by `virtual` host; default: `path` with ' +
        '`S3_ENDPOINT`, else `virtual`',
    }),
    S3_SSE: setting(z.enum(['AES256', 'aws:kms']).optional(), {
      description: 'server-side encryption to request for every object',
    }),
    S3_SSE_KMS_KEY_ID: setting(z.string().optional(), {
      description: 'KMS key of the encryption, with `aws:kms`',
    }),
    S3_TLS_CA: setting(pemText.optional(), {
      description:
        'certificate authority of the storage, if it is not a public one: PEM text, or its file ' +
        'by `S3_TLS_CA_FILE`',
    }),
    SVC_S3_PUBLIC_ENDPOINT: setting(z.url({ protocol: /^https?$/ }).optional(), {
      description: 'URL of the storage for presigned uploads, if callers need a different one',
    }),
  },
  rules: [
    (given) =>
      Boolean(given.S3_ACCESS_KEY_ID) === Boolean(given.S3_SECRET_ACCESS_KEY)
        ? null
        : 'S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY must be set together',
    (given) =>
      given.S3_SSE_KMS_KEY_ID && given.S3_SSE !== 'aws:kms'
        ? 'S3_SSE_KMS_KEY_ID requires S3_SSE=aws:kms'
        : null,
  ],
} satisfies Settings;

const withPort = /:\d{1,5}\/?$/;

/** Many write `host:port`; a word alone is rather a mistake than a host at port 80. */
const proxyUrl = z.preprocess(
  (text) =>
    typeof text === 'string' && !text.includes('://') && withPort.test(text)
      ? `http://${text}`
      : text,
  z.url({ protocol: /^https?$/ }),
);

/** The conventional proxy variables, in upper or lower case. */
export const proxySettings = {
  shape: {
    HTTPS_PROXY: setting(proxyUrl.optional(), {
      description: 'proxy for object storage over https, and for webhooks to the internet',
      alias: 'https_proxy',
    }),
    HTTP_PROXY: setting(proxyUrl.optional(), {
      description: 'proxy for object storage over http',
      alias: 'http_proxy',
    }),
    NO_PROXY: setting(z.string().optional(), {
      description: 'hosts of object storage that are reached without a proxy, separated by commas',
      alias: 'no_proxy',
    }),
  },
  rules: [],
} satisfies Settings;

type Storage = SettingsOf<typeof storageSettings> & Partial<SettingsOf<typeof proxySettings>>;

/** Maps the settings to the options of the object store. */
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
