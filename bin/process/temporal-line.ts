// How clients and workers keep their connections to Temporal.
import type { ConnectionOptions } from '@temporalio/client';
import type { NativeConnectionOptions } from '@temporalio/worker';
import type { TemporalAccess } from './temporal-config.ts';

/**
 * gRPC's own pauses between attempts grow to two minutes, and a line that went silent counts as
 * alive for three quarters of one: callers would wait for a server that is long back.
 */
export function temporalLine(access: TemporalAccess): ConnectionOptions {
  return {
    ...shared(access),
    channelArgs: {
      'grpc.initial_reconnect_backoff_ms': 500,
      'grpc.max_reconnect_backoff_ms': 3_000,
      // Temporal's server closes connections that ask more often than every 10 s.
      'grpc.keepalive_time_ms': 12_000,
      'grpc.keepalive_timeout_ms': 4_000,
      // Workers know no proxy: a client that took one from the environment would stand alone.
      'grpc.enable_http_proxy': 0,
    },
  };
}

/** The same server for workers, whose connection is native and has such pauses by itself. */
export function temporalWorkerLine(access: TemporalAccess): NativeConnectionOptions {
  return shared(access);
}

function shared({ address, apiKey, tls }: TemporalAccess) {
  return { address, ...(tls && { tls }), ...(apiKey && { apiKey }) };
}
