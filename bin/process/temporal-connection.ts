// Options of connections to Temporal: reconnection, keep-alive, TLS.
import { Connection, type ConnectionOptions } from '@temporalio/client';
import type { NativeConnectionOptions } from '@temporalio/worker';
import type { TemporalAccess } from '../settings/temporal-config.ts';

/**
 * By default gRPC's delays between attempts grow to two minutes, and a silent connection counts as
 * alive for 45 s: callers would wait for a server that has long recovered.
 */
export function clientConnectionOptions(access: TemporalAccess): ConnectionOptions {
  return {
    ...shared(access),
    channelArgs: {
      'grpc.initial_reconnect_backoff_ms': 500,
      'grpc.max_reconnect_backoff_ms': 3_000,
      // Temporal's server closes connections with more frequent pings than one per 10 s.
      'grpc.keepalive_time_ms': 12_000,
      'grpc.keepalive_timeout_ms': 4_000,
      // Workers cannot use a proxy, so clients must not take one from the environment either.
      'grpc.enable_http_proxy': 0,
    },
  };
}

/**
 * How long a process that starts waits for a server that starts beside it: on a busy machine it
 * takes longer than the SDK's 10 s.
 */
export const startTimeoutMs = 60_000;

/**
 * @param timeoutMs default: that of the SDK
 * @throws an error that names the address, with the SDK's as its cause
 */
export async function connectTemporal(
  access: TemporalAccess,
  timeoutMs?: number,
): Promise<Connection> {
  const connectTimeout = timeoutMs === undefined ? {} : { connectTimeout: timeoutMs };
  const options = { ...clientConnectionOptions(access), ...connectTimeout };
  return Connection.connect(options).catch((cause: unknown) => {
    const settings = 'TEMPORAL_ADDRESS, TEMPORAL_TLS_*';
    throw new Error(`no connection to Temporal at ${access.address} (${settings})`, { cause });
  });
}

/**
 * The native connection of workers connects again after short delays, but takes 45 s to find out
 * that it has gone silent: it asks each 30 s and waits 15 s for the answer, and the SDK has no
 * option for either (docs/operations.md).
 */
export function workerConnectionOptions(access: TemporalAccess): NativeConnectionOptions {
  return shared(access);
}

function shared({ address, apiKey, tls }: TemporalAccess) {
  return { address, ...(tls && { tls }), ...(apiKey && { apiKey }) };
}
