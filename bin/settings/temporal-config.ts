// Settings of the connection to Temporal, named as Temporal's own tools name them.
import { z } from 'zod';
import {
  hostAndPort,
  nameWithoutSpaces,
  pemText,
  setting,
  type Environment,
  type Settings,
  type SettingsOf,
} from './read-config.ts';

const cloud = /\.(tmprl\.cloud|api\.temporal\.io):\d+$/i;

/** A PEM text, given in a variable or as a file. */
function pem(name: string, description: string, secret = false) {
  return setting(pemText.optional(), { description, secret, file: `${name}_PATH` });
}

export const temporalSettings = {
  shape: {
    TEMPORAL_ADDRESS: setting(hostAndPort, {
      description: "Temporal's gRPC address, `host:port`",
    }),
    TEMPORAL_NAMESPACE: setting(nameWithoutSpaces.default('default'), {
      description: 'namespace; in Temporal Cloud `<name>.<account>`',
    }),
    TEMPORAL_API_KEY: setting(z.string().optional(), {
      description: 'API key of Temporal Cloud, or the bearer token of another server',
      secret: true,
    }),
    TEMPORAL_TLS: setting(z.stringbool().optional(), {
      description:
        'TLS; enabled by default with a key, a certificate, or an address of Temporal Cloud',
    }),
    TEMPORAL_TLS_SERVER_NAME: setting(z.string().optional(), {
      description: 'name that the server certificate must have, if it is not the host',
    }),
    TEMPORAL_TLS_SERVER_CA_CERT_DATA: pem(
      'TEMPORAL_TLS_SERVER_CA_CERT',
      'certificate authority (PEM) of the server, if it is not a public one',
    ),
    TEMPORAL_TLS_CLIENT_CERT_DATA: pem(
      'TEMPORAL_TLS_CLIENT_CERT',
      'client certificate (PEM) for mTLS',
    ),
    TEMPORAL_TLS_CLIENT_KEY_DATA: pem(
      'TEMPORAL_TLS_CLIENT_KEY',
      'key (PEM) of the client certificate',
      true,
    ),
  },
  rules: [
    (given) =>
      Boolean(given.TEMPORAL_TLS_CLIENT_CERT_DATA) === Boolean(given.TEMPORAL_TLS_CLIENT_KEY_DATA)
        ? null
        : 'TEMPORAL_TLS_CLIENT_CERT and TEMPORAL_TLS_CLIENT_KEY (_PATH or _DATA) belong together',
    (given) =>
      /^(false|0|no|off|n|disabled)$/i.test(given.TEMPORAL_TLS ?? '') && wantsTls(given)
        ? 'TEMPORAL_TLS is off, but the key, certificate or Temporal Cloud address requires it'
        : null,
    (given) =>
      cloud.test(given.TEMPORAL_ADDRESS ?? '') && !given.TEMPORAL_NAMESPACE?.includes('.')
        ? 'TEMPORAL_NAMESPACE must be <name>.<account> in Temporal Cloud'
        : null,
  ],
} satisfies Settings;

export interface TemporalAccess {
  readonly address: string;
  readonly namespace: string;
  readonly apiKey: string | null;
  /** Null for clear text. */
  readonly tls: TemporalTls | null;
}

interface TemporalTls {
  readonly serverNameOverride?: string;
  readonly serverRootCACertificate?: Buffer;
  readonly clientCertPair?: { readonly crt: Buffer; readonly key: Buffer };
}

/** Maps the settings to the options of a connection. */
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
