// Where Temporal is, and how it knows us. The names are those of Temporal's own tools.
import { z } from 'zod';
import { setting, type Environment, type Settings, type SettingsOf } from './read-config.ts';

const hostAndPort = /^(\[[0-9a-f:]+\]|[^\s:/]+):\d{1,5}$/i;
const cloud = /\.(tmprl\.cloud|api\.temporal\.io):\d+$/i;

/** A PEM text, in a variable or in a file. */
function pem(name: string, description: string, secret = false) {
  const schema = z.string().regex(/^\s*-----BEGIN /, 'takes PEM text, -----BEGIN …');
  return setting(schema.optional(), { description, secret, file: `${name}_PATH` });
}

export const temporalSettings = {
  shape: {
    TEMPORAL_ADDRESS: setting(z.string().regex(hostAndPort, 'takes host:port'), {
      description: "Temporal's gRPC address, `host:port`",
    }),
    TEMPORAL_NAMESPACE: setting(z.string().default('default'), {
      description: 'namespace; in Temporal Cloud `<name>.<account>`',
    }),
    TEMPORAL_API_KEY: setting(z.string().optional(), {
      description: 'key of Temporal Cloud, or what your server takes as a bearer',
      secret: true,
    }),
    TEMPORAL_TLS: setting(z.stringbool().optional(), {
      description: 'TLS; on by itself with a key, a certificate, or an address of the Cloud',
    }),
    TEMPORAL_TLS_SERVER_NAME: setting(z.string().optional(), {
      description: 'name that the certificate has to have, where it is not the host',
    }),
    TEMPORAL_TLS_SERVER_CA_CERT_DATA: pem(
      'TEMPORAL_TLS_SERVER_CA_CERT',
      'authority (PEM) that has signed for the server, where no public one has',
    ),
    TEMPORAL_TLS_CLIENT_CERT_DATA: pem(
      'TEMPORAL_TLS_CLIENT_CERT',
      'certificate (PEM) that this service shows: mTLS',
    ),
    TEMPORAL_TLS_CLIENT_KEY_DATA: pem('TEMPORAL_TLS_CLIENT_KEY', 'its key (PEM)', true),
  },
  rules: [
    (given) =>
      Boolean(given.TEMPORAL_TLS_CLIENT_CERT_DATA) === Boolean(given.TEMPORAL_TLS_CLIENT_KEY_DATA)
        ? null
        : 'TEMPORAL_TLS_CLIENT_CERT and TEMPORAL_TLS_CLIENT_KEY (_PATH or _DATA) go together',
    (given) =>
      /^(false|0|no|off|n|disabled)$/i.test(given.TEMPORAL_TLS ?? '') && wantsTls(given)
        ? 'TEMPORAL_TLS is off, but a key, a certificate or an address of the Cloud needs it'
        : null,
    (given) =>
      cloud.test(given.TEMPORAL_ADDRESS ?? '') && !given.TEMPORAL_NAMESPACE?.includes('.')
        ? 'TEMPORAL_NAMESPACE in Temporal Cloud is <name>.<account>'
        : null,
  ],
} satisfies Settings;

export interface TemporalAccess {
  readonly address: string;
  readonly namespace: string;
  readonly apiKey: string | null;
  /** Null: in clear text. */
  readonly tls: TemporalTls | null;
}

interface TemporalTls {
  readonly serverNameOverride?: string;
  readonly serverRootCACertificate?: Buffer;
  readonly clientCertPair?: { readonly crt: Buffer; readonly key: Buffer };
}

/** The server that the variables name. */
export function temporalOf(config: SettingsOf<typeof temporalSettings>): TemporalAccess {
  const tls = config.TEMPORAL_TLS ?? wantsTls(config as unknown as Environment);
  return {
    address: config.TEMPORAL_ADDRESS,
    namespace: config.TEMPORAL_NAMESPACE,
    apiKey: config.TEMPORAL_API_KEY ?? null,
    tls: tls ? tlsOf(config) : null,
  };
}

function wantsTls(given: Environment): boolean {
  const named =
    given.TEMPORAL_API_KEY ||
    given.TEMPORAL_TLS_CLIENT_CERT_DATA ||
    given.TEMPORAL_TLS_SERVER_CA_CERT_DATA ||
    given.TEMPORAL_TLS_SERVER_NAME;
  return Boolean(named) || cloud.test(given.TEMPORAL_ADDRESS ?? '');
}

function tlsOf(config: SettingsOf<typeof temporalSettings>): TemporalTls {
  const {
    TEMPORAL_TLS_SERVER_NAME: name,
    TEMPORAL_TLS_SERVER_CA_CERT_DATA: authority,
    TEMPORAL_TLS_CLIENT_CERT_DATA: crt,
    TEMPORAL_TLS_CLIENT_KEY_DATA: key,
  } = config;
  return {
    ...(name && { serverNameOverride: name }),
    ...(authority && { serverRootCACertificate: Buffer.from(authority) }),
    ...(crt && key && { clientCertPair: { crt: Buffer.from(crt), key: Buffer.from(key) } }),
  };
}
