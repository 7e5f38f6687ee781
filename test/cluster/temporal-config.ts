// The configuration file of Temporal's server: PostgreSQL behind TLS, clients with a certificate.
import type { Certificates } from '../support/certificates.ts';

export interface TemporalConfigOptions {
  readonly address: string;
  readonly host: string;
  readonly port: number;
  readonly database: { readonly host: string; readonly port: number; readonly password: string };
  readonly certificates: Certificates;
  readonly dynamicConfigPath: string;
}

/** Of an installation in one process; several would share the shards. */
const historyShards = 4;
/** Below and beside the port of the frontend. */
const ports = {
  frontend: { membership: 6933, grpc: 0 },
  history: { membership: 6934, grpc: 7234 },
  matching: { membership: 6935, grpc: 7235 },
  worker: { membership: 6939, grpc: 7239 },
};

export function temporalConfig(options: TemporalConfigOptions): object {
  const { address, port, certificates } = options;
  const { server, client, authorityPath } = certificates;
  const services = Object.entries(ports).map(([name, { membership, grpc }]) => {
    const rpc = { grpcPort: grpc || port, membershipPort: membership, bindOnIP: address };
    return [name, { rpc }];
  });
  const trusted = { serverName: options.host, rootCaFiles: [authorityPath] };
  return {
    log: { stdout: true, level: 'warn' },
    persistence: {
      defaultStore: 'default',
      visibilityStore: 'visibility',
      numHistoryShards: historyShards,
      datastores: {
        default: { sql: storeOf(options, 'temporal', 20) },
        visibility: { sql: storeOf(options, 'temporal_visibility', 5) },
      },
    },
    global: {
      membership: { maxJoinDuration: '30s', broadcastAddress: address },
      tls: {
        frontend: {
          server: {
            certFile: server.certPath,
            keyFile: server.keyPath,
            requireClientAuth: true,
            clientCaFiles: [authorityPath],
          },
          client: trusted,
        },
        systemWorker: { certFile: client.certPath, keyFile: client.keyPath, client: trusted },
      },
    },
    services: Object.fromEntries(services),
    clusterMetadata: {
      enableGlobalNamespace: false,
      failoverVersionIncrement: 10,
      masterClusterName: 'active',
      currentClusterName: 'active',
      clusterInformation: {
        active: {
          enabled: true,
          initialFailoverVersion: 1,
          rpcName: 'frontend',
          rpcAddress: `${address}:${port}`,
        },
      },
    },
    dcRedirectionPolicy: { policy: 'noop' },
    archival: { history: { state: 'disabled' }, visibility: { state: 'disabled' } },
    publicClient: { hostPort: `${address}:${port}` },
    dynamicConfigClient: { filepath: options.dynamicConfigPath, pollInterval: '60s' },
  };
}

function storeOf(
  { database: { host, port, password }, certificates }: TemporalConfigOptions,
  databaseName: string,
  maxConns: number,
): object {
  return {
    pluginName: 'postgres12',
    databaseName,
    connectAddr: `${host}:${port}`,
    connectProtocol: 'tcp',
    ...{ user: 'svc', password, maxConns, maxIdleConns: maxConns, maxConnLifetime: '1h' },
    tls: { enabled: true, caFile: certificates.authorityPath, enableHostVerification: true },
  };
}
