// How a client of Temporal keeps its connection.
import type { ConnectionOptions } from '@temporalio/client';

/**
 * gRPC's own pauses between attempts grow to two minutes, and a line that went silent counts as
 * alive for three quarters of one: callers would wait for a server that is long back.
 */
export function temporalLine(address: string): ConnectionOptions {
  return {
    address,
    channelArgs: {
      'grpc.initial_reconnect_backoff_ms': 500,
      'grpc.max_reconnect_backoff_ms': 3_000,
      // Temporal's server closes connections that ask more often than every 10 s.
      'grpc.keepalive_time_ms': 12_000,
      'grpc.keepalive_timeout_ms': 4_000,
    },
  };
}
