// Embedded Temporal: the development server with a SQLite file and its UI.
import { searchAttributeTypes } from '../../workflows/search-attributes.ts';
import { connectTemporal } from '../process/temporal-connection.ts';
import { commandLineType, defaultRetentionDays } from '../provision/temporal.ts';
import type { PartSpec } from './part.ts';

export interface TemporalOptions {
  readonly dataDirectory: string;
  readonly logPath: string;
  readonly program: string;
  readonly port: number;
  /** null disables the UI. */
  readonly uiPort: number | null;
  readonly namespace: string;
}

/**
 * The default of 20 polls per second and shard makes every dispatch on this one-shard server wait
 * for a 50 ms tick; with 2000 an activity takes 36 ms instead of 150 ms.
 */
const dynamicConfig = {
  'history.transferProcessorMaxPollRPS': '2000',
  'history.timerProcessorMaxPollRPS': '2000',
  // Its HTTP port is on loopback, too, where a page in a browser could reach it by DNS rebinding.
  // The UI has no such setting: it shows ids, stages and times to whoever reaches its port.
  'frontend.httpAllowedHosts': '["127.0.0.1:*","localhost:*"]',
  'system.forceSearchAttributesCacheRefreshOnRead': 'true',
  // Priorities and fairness keys (test/flows/fairness.test.ts).
  'matching.useNewMatcher': 'true',
  'matching.enableFairness': 'true',
};

/**
 * With SQLite's defaults a commit writes a rollback journal and waits for the disk three times, on
 * the server's one connection, and every workflow task waits for it. With the write-ahead log 200
 * concurrent workflows finish at 52 a second instead of 28, and it survives a killed process. A
 * power cut may cost the last moments, which PostgreSQL still has.
 */
const sqlitePragmas = { journal_mode: 'WAL', synchronous: 'NORMAL' };

const retentionSeconds = defaultRetentionDays * 24 * 3600;
const connectTimeoutMs = 1_000;

/** Describes the server's process. */
export function temporalPart(options: TemporalOptions): PartSpec {
  const ui =
    options.uiPort === null
      ? ['--headless']
      : ['--ui-ip', '127.0.0.1', '--ui-port', String(options.uiPort)];
  return {
    name: 'Temporal',
    command: options.program,
    args: [
      ...['server', 'start-dev', '--ip', '127.0.0.1', '--port', String(options.port), ...ui],
      // In its own folder, as the server reads a name as a URI: `#`, `?` and `%` would end a path.
      ...['--db-filename', 'temporal.db', '--log-level', 'warn', '--log-format', 'json'],
      ...['--namespace', options.namespace],
      ...Object.entries(sqlitePragmas).flatMap(pairs('--sqlite-pragma')),
      ...Object.entries(dynamicConfig).flatMap(pairs('--dynamic-config-value')),
      ...Object.entries(searchAttributeTypes)
        .map(([name, type]): [string, string] => [name, commandLineType(type)])
        .flatMap(pairs('--search-attribute')),
    ],
    // Go's collector lets the heap grow to twice what is in use by default.
    // An environment of the command line's own would have to be in its file.
    env: { GOGC: '50', TEMPORAL_ENV: '' },
    cwd: options.dataDirectory,
    logPath: options.logPath,
    privateFiles: true,
    stopSignal: 'SIGTERM',
    readySeconds: 60,
    probe: () => ensureRetention(`127.0.0.1:${options.port}`, options.namespace),
  };
}

/** Succeeds when the namespace answers; the server creates it with one day of retention. */
async function ensureRetention(address: string, namespace: string): Promise<void> {
  const access = { address, namespace, apiKey: null, tls: null };
  const connection = await connectTemporal(access, connectTimeoutMs);
  try {
    const found = await connection.workflowService.describeNamespace({ namespace });
    if (Number(found.config?.workflowExecutionRetentionTtl?.seconds ?? 0) === retentionSeconds)
      return;
    const workflowExecutionRetentionTtl = { seconds: retentionSeconds as never };
    await connection.workflowService.updateNamespace({
      namespace,
      config: { workflowExecutionRetentionTtl },
    });
  } finally {
    await connection.close();
  }
}

function pairs(flag: string): (entry: [string, string]) => string[] {
  return ([name, value]) => [flag, `${name}=${value}`];
}
