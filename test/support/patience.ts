// A machine that stalls for seconds is no outage of a server: what the service would give up by its
// own time limits, tests wait for.
import { Connection } from '@temporalio/client';
import { testServers } from './environment.ts';
import type { Patch } from './patches.ts';

/** No machine stalls for so long. */
export const patientMs = 600_000;

/** A connection to Temporal, however long its server takes to answer the first call. */
export function connectPatiently(address = testServers().temporalAddress): Promise<Connection> {
  return Connection.connect({ address, connectTimeout: patientMs });
}

/** @returns the connection, whose calls have no deadline from now on */
export function withoutDeadlines(connection: Connection): Connection {
  return Object.assign(connection, {
    withDeadline: <T>(_deadline: number | Date, work: () => Promise<T>) => work(),
  });
}

/** Of a finding of `svc doctor`: a busy machine has kept the server from its answer for seconds. */
export function isSilence(detail: string): boolean {
  return /timeout|deadline|^no answer in |^no connection to /i.test(detail);
}

/** The limits of the service's processes for calls of its servers. */
export const patientProcesses: readonly Patch[] = [
  {
    file: 'api/runs/call-temporal.ts',
    from: 'Date.now() + timeoutMs',
    to: `Date.now() + Math.max(timeoutMs, ${patientMs})`,
  },
  limit('api/streams/forward.ts', 'defaultAnswerTimeoutMs', '30_000'),
  limit('api/streams/requests.ts', 'startTimeoutMs', '5_000'),
  limit('api/webhooks/send.ts', 'deadlineMs', '15_000'),
  limit('db/database.ts', 'defaultAcquireTimeoutMs', '5_000'),
  limit('db/database.ts', 'defaultStatementTimeoutMs', '15_000'),
  limit('db/database.ts', 'defaultLockTimeoutMs', '10_000'),
  limit('db/database.ts', 'defaultIdleInTransactionTimeoutMs', '8_000'),
];

function limit(file: string, name: string, present: string): Patch {
  return { file, from: `const ${name} = ${present};`, to: `const ${name} = ${patientMs};` };
}
